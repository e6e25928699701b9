# As in pyproject.toml.
VERSION = "0.3.0"
