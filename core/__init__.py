"""Citedesk: are AI answers supported by the sources they cite?"""

from importlib.metadata import PackageNotFoundError, version

try:
    __version__ = version("citedesk")
except PackageNotFoundError:  # a checkout that was never installed
    __version__ = "0.0.0"
