from __future__ import annotations

import types
from collections.abc import Iterable, Mapping
from typing import Any, Literal, Union, get_args, get_origin

from pydantic import BaseModel, ConfigDict

SECRET_FIELDS = frozenset({"access_token", "api_key", "device_code", "password", "refresh_token", "secret", "token"})


class Model(BaseModel):
    """An object of the API. Fields that this version does not know are attributes, too."""

    model_config = ConfigDict(
        extra="allow", defer_build=True, validate_by_name=True, serialize_by_alias=True, protected_namespaces=()
    )

    def model_dump(self, *args: Any, **options: Any) -> dict[str, Any]:
        # What the service gives need not have the types of this version.
        return super().model_dump(*args, **{"warnings": False, **options})

    def model_dump_json(self, *args: Any, **options: Any) -> str:
        return super().model_dump_json(*args, **{"warnings": False, **options})

    def __repr_args__(self) -> Iterable[tuple[str | None, Any]]:
        for name, value in super().__repr_args__():
            yield name, "…" if name in SECRET_FIELDS and value is not None else value


class UnknownEvent(Model):
    """An event of a type that this version does not know."""

    id: str | None = None
    event: str
    timestamp: str
    data: dict[str, Any]


def build(kind: Any, value: object) -> Any:
    """
    A value of the service as the type that is expected. It is not validated: a newer service has more than this version knows, and
    what does not fit is passed on as it is. A field that is missing is None.
    """
    if isinstance(kind, type) and issubclass(kind, Model):
        return _object(kind, value) if isinstance(value, dict) else value
    origin, arguments = get_origin(kind), get_args(kind)
    if origin in (Union, types.UnionType):
        return _variant(arguments, value)
    if origin is list and isinstance(value, list):
        return [build(arguments[0], item) for item in value]
    if origin is dict and isinstance(value, dict):
        return {name: build(arguments[1], item) for name, item in value.items()}
    return value


def _object(kind: type[Model], value: Mapping[str, object]) -> Model:
    values = dict(value)
    known: dict[str, object] = {}
    given: set[str] = set()
    for name, field in kind.model_fields.items():
        alias = field.alias or name
        if alias in values:
            known[name] = build(field.annotation, values.pop(alias))
            given.add(name)
        else:
            known[name] = None
    # They would be taken for parameters.
    extra = {name: item for name, item in values.items() if name not in ("_fields_set", "cls") and name not in known}
    return kind.model_construct(given | extra.keys(), **known, **extra)


def _variant(kinds: tuple[Any, ...], value: object) -> Any:
    if isinstance(value, dict):
        models = [kind for kind in kinds if isinstance(kind, type) and issubclass(kind, Model)]
        fitting = [kind for kind in models if _fits(kind, value)]
        if models:
            return build(fitting[0] if fitting else Model, value)
    for kind in kinds:
        origin = get_origin(kind)
        if origin in (list, dict) and isinstance(value, origin):
            return build(kind, value)
    return value


def _fits(kind: type[Model], value: Mapping[str, object]) -> bool:
    """The constants of a variant are those of the value."""
    constants = [(f.alias or name, f.annotation) for name, f in kind.model_fields.items() if _is_literal(f.annotation)]
    return all(value.get(name) in get_args(annotation) for name, annotation in constants)


def _is_literal(annotation: object) -> bool:
    return get_origin(annotation) is Literal
