"""Configuration: what a person may set, from the environment (``CITEDESK_…``) or the command line."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

from pydantic import Field, field_validator
from pydantic_settings import BaseSettings, NoDecode, SettingsConfigDict

from core.models import MergePolicy, Record
from core.reference_policy import ReferencePolicy
from core.spend import Limits

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


def cache_path() -> Path:
    """Where judgements are kept from run to run: beside other local files, or in the user's cache folder."""
    if in_checkout():
        return local_path("verdicts.sqlite")
    from platformdirs import user_cache_path  # only an installed wheel needs it

    return user_cache_path("citedesk") / "verdicts.sqlite"


class HubSettings(Record):
    """How a model of the hub is read, where its own configuration does not say."""

    labels: str = ""
    """What its logits mean, in their order, e.g. ``entailment,neutral,contradiction``; empty: what its config says."""
    template: str = ""
    """How ``{evidence}`` and ``{claim}`` become one text; empty: they are given as a pair, evidence first."""


class ClaudeSettings(Record):
    """How Claude is called; key and address are the SDK's own (``ANTHROPIC_API_KEY``, ``ANTHROPIC_BASE_URL``)."""

    model: str = "claude-sonnet-5-5"
    """A pinned id, not an alias: Anthropic changes nothing behind one."""
    concurrency: int = Field(default=4, ge=1, le=64)
    """Calls on their way at once."""
    attempts: int = Field(default=5, ge=1)
    """For one pair, the first one included."""
    seconds: float = Field(default=180, gt=0)
    """For one pair, all attempts and the waiting between them together."""
    attempt_seconds: float = Field(default=90, gt=0)
    first_wait: float = Field(default=0.5, ge=0)
    """Seconds before the second attempt, doubled each time, unless the provider says how long to wait."""
    batch: bool = False
    """Whether pairs go out as message batches: at half the price, answered within a day."""
    poll_seconds: float = Field(default=20, gt=0)
    """Between two looks at a batch."""
    limits: Limits = Limits()
    """What one run may use at most."""


class ApiSettings(Record):
    """What one caller of the HTTP API may do, and all of them together."""

    per_minute: float = Field(default=60, gt=0)
    """Questions that one token may ask in a minute, for long."""
    burst: int = Field(default=10, ge=1)
    """Questions that it may ask at once, after a pause."""
    largest_body: int = Field(default=65_536, ge=256)
    """Bytes of a request."""
    longest_query: int = Field(default=2_000, ge=1, le=2_000)
    """Code points of a question; retrieval takes no longer one."""
    concurrent: int = Field(default=4, ge=1, le=64)
    """Questions that are answered at the same time."""
    waiting: int = Field(default=16, ge=0)
    """Questions that wait beside them; further ones are told to come again."""


class AskSettings(Record):
    """How questions are answered where nothing else is said."""

    generator: str = "extractive"
    """Who writes the answer."""
    gate: Literal["citations", "quotes", "support"] = "quotes"
    """What must hold for an answer to be served; see ``core.gate.Level``."""
    contract: Literal["structured", "native"] = "structured"
    """How ``claude`` cites: in one JSON object whose ids are enumerated, or by the provider's own citations of
    documents, which cannot be had together with such an object."""
    attempts: int = Field(default=3, ge=1, le=5)
    """How often a generator is asked for one answer, the first time included."""
    repair_seconds: float = Field(default=60, ge=0)
    """Seconds after which no repair is begun."""
    draft_days: int = Field(default=30, ge=0)
    """Days for which reviewers can see an answer that was not served; 0 keeps none."""


class Settings(BaseSettings):
    """Everything that can be set, with its default."""

    model_config = SettingsConfigDict(env_prefix="CITEDESK_", env_nested_delimiter="__", frozen=True, extra="ignore")

    store: Path = Field(default_factory=lambda: local_path("desk.duckdb"))
    """The DuckDB file."""
    verifier: str = "nli"
    """Which verifier judges support."""
    merge: MergePolicy = MergePolicy.ALL
    """How a claim's spans become one label."""
    segmenter: str = "yasbd"
    """What finds sentence ends in answers: ``yasbd``, or ``nupunkt``, which is faster and cuts fewer texts right."""
    thresholds: dict[str, float] = Field(default_factory=dict)
    """Overrides of the verifier's own thresholds, by name, each in [0, 1]."""
    cache: Path | None = Field(default_factory=cache_path)
    """Where judgements are kept from run to run; none, in the environment an empty value: nowhere."""
    hub: HubSettings = HubSettings()
    """For the verifier ``hub:MODEL``; in the environment for example ``CITEDESK_HUB__LABELS``."""
    claude: ClaudeSettings = ClaudeSettings()
    """For the verifier ``claude``; in the environment for example ``CITEDESK_CLAUDE__MODEL``."""
    api: ApiSettings = ApiSettings()
    """For the HTTP API; in the environment for example ``CITEDESK_API__PER_MINUTE``."""
    ask: AskSettings = AskSettings()
    """For questions; in the environment for example ``CITEDESK_ASK__GATE``."""
    references: ReferencePolicy = ReferencePolicy()
    """What may be looked up beyond an answer's own registry; in the environment for example
    ``CITEDESK_REFERENCES__ALSO='["urls"]'`` and ``CITEDESK_REFERENCES__CONTACT``."""
    embedder: str = "bundled"
    """What passages are found by meaning with: ``bundled``, or a model of sentence-transformers, as a folder or by
    name (``org/model``, ``org/model@revision``)."""
    labeller: str = "me"
    """The name under which labels are stored when nobody signs in."""
    sign_in: Path | None = None
    """The TOML file that says where people sign in; none: nobody does, and only this machine reaches the desk."""
    attach: Annotated[tuple[str, ...], NoDecode] = ()
    """Run folders that pages can show beside the store, as paths or addresses; in the environment one a line."""
    sign_in_hours: float = Field(default=12, gt=0)
    """Hours after which somebody must sign in again."""
    groups_claim: str = ""
    """What the issuer calls the access groups of somebody, as its tokens do; empty: only the desk gives them."""
    admins: Annotated[tuple[str, ...], NoDecode] = ()
    """Who is admin from the start: checked e-mail addresses or subjects, in the environment separated by commas."""

    @property
    def references_cache(self) -> Path:
        """Where answers from outside are kept; also when judgements are not, for asking twice is not polite."""
        return (self.cache or cache_path()).with_name("references.sqlite")

    @field_validator("admins", mode="before")
    @classmethod
    def _by_commas(cls, value: object) -> object:
        return tuple(filter(None, map(str.strip, value.split(",")))) if isinstance(value, str) else value

    @field_validator("attach", mode="before")
    @classmethod
    def _by_lines(cls, value: object) -> object:
        return tuple(filter(None, map(str.strip, value.splitlines()))) if isinstance(value, str) else value

    @field_validator("cache", "sign_in", mode="before")
    @classmethod
    def _empty_is_none(cls, value: object) -> object:
        return None if value == "" else value
