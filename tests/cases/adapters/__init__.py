"""One adapter an area: ``observe(input)`` calls public functions of ``core`` and renames fields, nothing more.

``LATER`` names the input fields that need what is not built yet, each with the reason.
"""
