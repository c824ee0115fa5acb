"""Configuration: what a person may set, from the environment (``CITEDESK_…``) or the command line."""

from __future__ import annotations

from pathlib import Path

from pydantic import Field
from pydantic_settings import BaseSettings, SettingsConfigDict

from core.models import MergePolicy

PACKAGE = Path(__file__).parent


def in_checkout() -> bool:
    """Whether this is the source tree rather than an installed wheel."""
    return not (PACKAGE / "data").is_dir() and (PACKAGE.parent / "pyproject.toml").is_file()


def data_path(*parts: str) -> Path:
    """Find a committed data file: beside the packages in a checkout, under ``core`` in a wheel."""
    home = PACKAGE.parent / "data" if in_checkout() else PACKAGE / "data"
    return home.joinpath(*parts)


def local_path(*parts: str) -> Path:
    """Where files made on this machine go: ``data/local`` in a checkout, else the user's data folder."""
    if in_checkout():
        return data_path("local", *parts)
    from platformdirs import user_data_path  # only an installed wheel needs it

    return user_data_path("citedesk").joinpath(*parts)


class Settings(BaseSettings):
    """Everything that can be set, with its default."""

    model_config = SettingsConfigDict(env_prefix="CITEDESK_", frozen=True, extra="ignore")

    store: Path = Field(default_factory=lambda: local_path("desk.duckdb"))
    """The DuckDB file."""
    verifier: str = "lexical"
    """Which verifier judges support."""
    merge: MergePolicy = MergePolicy.ALL
    """How a claim's spans become one label."""
    thresholds: dict[str, float] = Field(default_factory=dict)
    """Overrides of the verifier's own thresholds, by name, each in [0, 1]."""
    labeller: str = "me"
    """The name under which labels are stored when nobody signs in."""
