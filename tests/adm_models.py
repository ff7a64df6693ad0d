"""Models of ADM's structures, another reading of its document than that of the rules (seeds/004, 4).

Fields that they do not know are kept, extensions among them: what is read is written again (5.2.5).
"""

from __future__ import annotations

from typing import Annotated, Any, Literal, Self

from pydantic import ConfigDict, Field, TypeAdapter, field_validator, model_validator

from generator.boundary import BoundaryModel
from generator.jsontext import JsonObject, JsonValue
from generator.schemas.adm import SUPPORTED, VERSION_FIELDS, is_refused, read_version

Name = Annotated[str, Field(pattern=r"^[a-zA-Z_][a-zA-Z0-9_-]{0,63}\z")]
Said = Annotated[str, Field(pattern=r"\S")]


class AdmStructure(BoundaryModel):
    """The base: frozen, no value read as another type, no field null, unknown fields kept."""

    model_config = ConfigDict(frozen=True, extra="allow", strict=True)

    @model_validator(mode="before")
    @classmethod
    def _has_no_null(cls, value: Any) -> Any:
        nulls = [name for name, held in value.items() if held is None] if isinstance(value, dict) else []
        if set(nulls) - cls.nullable():
            raise ValueError(f"{', '.join(nulls)}: ADM leaves out what has no value")
        return value

    @classmethod
    def nullable(cls) -> set[str]:
        """Name the fields whose value may be null: values of functions, not of ADM."""
        return set()

    def to_dict(self) -> JsonObject:
        """Return the structure as it was read, extensions included."""
        return self.model_dump(mode="json", exclude_unset=True)


class VersionedStructure(AdmStructure):
    """A structure that may declare the version of ADM it is written in; a newer MAJOR one is refused (5.1)."""

    @model_validator(mode="before")
    @classmethod
    def _is_of_a_known_version(cls, value: Any) -> Any:
        declared = isinstance(value, dict) and any(value.get(name) is not None for name in VERSION_FIELDS)
        if declared and read_version(value) is None:
            raise ValueError("a version is MAJOR.MINOR.PATCH")
        if declared and is_refused(value):
            raise ValueError(f"a newer MAJOR version than {SUPPORTED.major} is not known")
        return value


class AdmSchema(AdmStructure):
    """The type of a value (4.3)."""

    type: Literal["STRING", "NUMBER", "INTEGER", "BOOLEAN", "ARRAY", "OBJECT"]
    description: str | None = None
    properties: dict[str, AdmSchema] | None = None
    required: list[str] | None = None
    items: AdmSchema | None = None
    enum: Annotated[list[str], Field(min_length=1)] | None = None

    @model_validator(mode="after")
    def _is_consistent(self) -> Self:
        required = self.required or []
        if self.type == "ARRAY" and self.items is None:
            raise ValueError("an ARRAY has `items`")
        if self.enum is not None and (self.type != "STRING" or len(set(self.enum)) < len(self.enum)):
            raise ValueError("`enum` belongs to STRING, and lists a value once")
        if len(set(required)) < len(required) or not set(required) <= set(self.properties or ()):
            raise ValueError("`required` names properties, each once")
        return self


class FunctionDeclaration(AdmStructure):
    """A function that can be called (4.2)."""

    name: Name
    description: Said
    parameters: AdmSchema


class AdmTool(VersionedStructure):
    """Functions that belong together (4.1)."""

    function_declarations: Annotated[list[FunctionDeclaration], Field(min_length=1)]

    @field_validator("function_declarations")
    @classmethod
    def _names_are_unique(cls, declarations: list[FunctionDeclaration]) -> list[FunctionDeclaration]:
        if len({declaration.name for declaration in declarations}) < len(declarations):
            raise ValueError("the names of functions are unique within a Tool")
        return declarations


class FunctionCall(VersionedStructure):
    """A call of a function (4.4)."""

    name: Name
    args: JsonObject


class ErrorObject(AdmStructure):
    """What went wrong (4.5.3)."""

    message: Said
    type: str | None = None
    """Usually one of `schemas.adm_errors.ERROR_TYPES`; others may come."""


class AdmSuccess(VersionedStructure):
    """The result of a call that succeeded: any JSON value, null included (4.5)."""

    name: Name
    status: Literal["SUCCESS"]
    content: JsonValue

    @classmethod
    def nullable(cls) -> set[str]:
        """Name the content."""
        return {"content"}

    @model_validator(mode="after")
    def _has_no_error(self) -> Self:
        if "error" in (self.model_extra or {}):
            raise ValueError("a SUCCESS has no `error`")
        return self


class AdmError(VersionedStructure):
    """The result of a call that failed (4.5)."""

    name: Name
    status: Literal["ERROR"]
    error: ErrorObject

    @model_validator(mode="after")
    def _has_no_content(self) -> Self:
        if "content" in (self.model_extra or {}):
            raise ValueError("an ERROR has no `content`")
        return self


AdmResult = Annotated[AdmSuccess | AdmError, Field(discriminator="status")]
"""ToolResult: the status tells which of the two it is (4.5.6)."""

ADM_RESULT: TypeAdapter[AdmSuccess | AdmError] = TypeAdapter(AdmResult)
"""Reads a ToolResult."""
