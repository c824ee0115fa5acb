"""Exporters, one format per file: claims → a file.

A member is a module with ``SUFFIX``, ``KIND`` and a ``write`` that writes everything in order and returns how many it
was given. A ``table`` has ``write(rows, path, record=ClaimRow)``, streaming: any flat record makes one. A ``document``
shows claims in their answers and has ``write(claims, path)``, where claims are ``JudgedClaim`` records; a ``report`` is
a document for people, with the figures of all claims under the name of the judge.
"""
