"""What every test shares: no network, no verdicts of earlier runs, and how hard the property tests look."""

from __future__ import annotations

import os

from hypothesis import HealthCheck, settings

os.environ.setdefault("HF_HUB_OFFLINE", "1")
os.environ["CITEDESK_VERIFIER"] = "lexical"  # stores and pages are tested with the judge that costs nothing
os.environ["CITEDESK_CACHE"] = ""  # code that changed must not be tested by what it said yesterday

# Shared machines stall now and then; a deadline would test the machine, not the code.
settings.register_profile("default", deadline=None, max_examples=100)
settings.register_profile(
    "fuzz", deadline=None, max_examples=10_000, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large]
)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "default"))
