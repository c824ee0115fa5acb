"""The OpenAPI document of the HTTP API, built from the table of its operations and the records they speak in."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from pydantic import BaseModel
from pydantic.json_schema import JsonSchemaMode, models_json_schema

from core import __version__
from core.api_contract import OPERATIONS, Operation, Reply, phrase

_SCHEMAS = "#/components/schemas/"
_TOKEN = "token"
_HEADERS = {
    "WWW-Authenticate": {"description": "Bearer", "schema": {"type": "string", "const": "Bearer"}},
    "Retry-After": {"description": "Seconds to wait", "schema": {"type": "integer", "minimum": 1}},
}

_EVENT = {
    "description": "One event; its data is JSON: of `status` stage and counts, of `answer` the body that the operation "
    "without a stream has with 200, of `error` the status and the detail that it has otherwise.",
    "type": "object",
    "properties": {"event": {"enum": ["status", "answer", "error"]}, "data": {"type": "string"}},
    "required": ["event", "data"],
    "additionalProperties": False,
}


def document(operations: Sequence[Operation] = OPERATIONS) -> dict[str, Any]:
    """The document, OpenAPI 3.1."""
    modes = _modes(operations)
    refs, schemas = models_json_schema(modes, ref_template=_SCHEMAS + "{model}")
    found = {model: refs[model, mode] for model, mode in modes}
    paths: dict[str, dict[str, Any]] = {}
    for operation in operations:
        paths.setdefault(operation.path, {})[operation.method.lower()] = _operation(operation, found)
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Citedesk",
            "version": __version__,
            "description": "A question gets an answer of which every claim passed the gate, or none at all.",
        },
        "paths": paths,
        "components": {
            "schemas": schemas.get("$defs", {}),
            "securitySchemes": {_TOKEN: {"type": "http", "scheme": "bearer"}},
        },
    }


def _modes(operations: Sequence[Operation]) -> list[tuple[type[BaseModel], JsonSchemaMode]]:
    """Every record that is asked or answered with, as it looks on the wire."""
    asked: dict[type[BaseModel], JsonSchemaMode] = {one.body: "validation" for one in operations if one.body}
    told: dict[type[BaseModel], JsonSchemaMode] = {
        reply.body: "serialization" for one in operations for reply in one.replies if reply.body is not BaseModel
    }
    return list((asked | told).items())


def _operation(operation: Operation, refs: Mapping[type[BaseModel], Any]) -> dict[str, Any]:
    statuses = sorted({reply.status for reply in operation.replies})
    written: dict[str, Any] = {
        "operationId": operation.name,
        "summary": operation.summary,
        "responses": {
            str(status): _response(operation, [one for one in operation.replies if one.status == status], refs)
            for status in statuses
        },
    }
    if operation.body is not None:
        written["requestBody"] = {
            "required": True,
            "content": {"application/json": {"schema": refs[operation.body]}},
        }
    if operation.with_token:
        written["security"] = [{_TOKEN: []}]
    return written


def _response(operation: Operation, replies: Sequence[Reply], refs: Mapping[type[BaseModel], Any]) -> dict[str, Any]:
    said = "; ".join(dict.fromkeys(reply.when for reply in replies))
    written: dict[str, Any] = {"description": f"{phrase(replies[0].status)}: {said}"}
    if operation.streams and replies[0].status == 200:
        written["content"] = {"text/event-stream": {"schema": _EVENT}}
    else:
        bodies = list(dict.fromkeys(reply.body for reply in replies))
        schemas = [{"type": "object"} if body is BaseModel else refs[body] for body in bodies]
        written["content"] = {"application/json": {"schema": schemas[0] if len(schemas) == 1 else {"anyOf": schemas}}}
    if names := {name for reply in replies for name in reply.headers}:
        written["headers"] = {name: _HEADERS[name] for name in sorted(names)}
    return written
