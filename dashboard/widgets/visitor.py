"""Who looks at a page: whoever signed in, in their groups; else who sits at the desk's own machine sees all of it."""

from __future__ import annotations

from urllib.parse import urlsplit

import streamlit as st

from core.notebook_reading import Reader
from core.people import Person, Role
from dashboard.security import LOOPBACK

_PASSED_ON = ("forwarded", "x-forwarded-for", "x-real-ip")
"""Headers of a proxy: then the near end of the connection says nothing about the far one."""


def reader(person: Person | None = None) -> Reader:
    """Groups and rights of this session; when in doubt, those of a stranger.

    Whoever signed in reads the sources of their own groups, wherever they sit and whatever their role is.
    """
    if person is not None and person.groups is not None:
        return Reader(groups=person.groups, reviews=person.may(Role.REVIEWER), person=person)
    headers = {name.lower(): value for name, value in st.context.headers.items()}
    host = urlsplit(f"//{headers.get('host', 'localhost')}").hostname
    near = st.context.ip_address is None and host in LOOPBACK and not any(name in headers for name in _PASSED_ON)
    return Reader(person=person) if near else Reader(groups=(), reviews=False, person=person)
