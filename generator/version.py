"""The version of toolgen: the one place that names it, which the build reads as well."""

VERSION = "0.1.0"
