"""What can stop us from looking.

A broken citation is our product and therefore a verdict, never an exception. Exceptions of this small tree mean that
nothing could be judged at all; each says what happened, where, and what to do, in words that the command line and the
dashboard print as they are.
"""


class CitedeskError(Exception):
    """The root: one sentence for a person, made of what happened and what to do.

    Args:
        what: What happened and where, without a final full stop.
        advice: What the person can do about it, without a final full stop.
    """

    title = "Citedesk could not do that"

    def __init__(self, what: str, advice: str = "") -> None:
        """Keep both halves so that a page can set them apart."""
        self.what = what
        self.advice = advice
        super().__init__(f"{what}; {advice}." if advice else f"{what}.")


class InputError(CitedeskError):
    """A file or value given by a person cannot be used at all."""

    title = "This input cannot be used"


class ImportFormatError(InputError):
    """A file is not in a format that an importer reads."""

    title = "This file cannot be read"


class VerifierUnavailable(CitedeskError):
    """A verifier was asked for, or another part with a model or a library, that does not exist or cannot run here."""

    title = "What this needs is not available"


class StoreError(CitedeskError):
    """The store cannot be opened, read or written."""

    title = "The store cannot be used"


class StoreBusy(StoreError):
    """Another process has the store open."""

    title = "The store is open elsewhere"


class StoreTooNew(StoreError):
    """The store was written by a newer Citedesk than this one."""

    title = "The store is newer than this Citedesk"


class StoreConflict(StoreError):
    """What was to be written contradicts what the store holds; sending it again cannot help."""

    title = "The store holds something else"
