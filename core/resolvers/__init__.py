"""Resolvers, one per file: what can be found out about one kind of reference.

A member is a module with ``NEEDS: Also`` (what the policy must allow), ``reads(reference) -> str | None`` (the
reference in the one spelling under which it is kept, or none when it is of another kind; at most one member reads a
reference) and ``async look(reference, identifier, outside) -> ReferenceFinding``.
"""
