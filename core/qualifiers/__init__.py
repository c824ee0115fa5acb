"""Qualifiers, one comparer per file: what differs between a claim and the stretch that should carry it?

A member is a module with ``VERSION: int``, ``LABEL: Label`` (what a disagreement makes of an entailed span) and
``compare(claim, evidence) -> list[Qualifier]``; deterministic, and able to veto support, never to grant it.
"""
