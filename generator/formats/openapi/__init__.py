"""OpenAPI documents: each operation a tool."""
