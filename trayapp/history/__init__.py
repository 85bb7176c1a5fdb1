"""The measurements of the past: one SQLite file with one writer and any number of readers.

`store` writes, `queries` reads for charts, `csv_export` for spreadsheets; `schema` is what they agree on. None of them
knows how a figure was measured, and nothing of an argument list or an environment ever comes here.
"""
