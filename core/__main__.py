"""``python -m core`` is ``citedesk``."""

from core.cli import main

main()
