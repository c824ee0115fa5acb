"""Exporters, one format per file: claim-table rows → a file.

A member is a module with ``SUFFIX: str`` and ``write(rows, path) -> int``: writes every row in order, returns how many.
"""
