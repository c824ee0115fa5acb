"""The OpenAPI document: made of the table that the routes are made of, and of the records."""

from __future__ import annotations

import json

from jsonschema import Draft202012Validator

from core import openapi
from core.api import Api
from core.api_contract import OPERATIONS, told
from core.outcomes import TABLE, Ending
from core.settings import ApiSettings
from tests.core.outcomes_made import outcome

DOCUMENT = openapi.document()


def test_routes_and_document_name_the_same() -> None:
    """Path by path and method by method."""

    def desk() -> None: ...

    routes = Api(desk, desk).routes()  # type: ignore[arg-type]
    written = {(path, method.upper()) for path, at in DOCUMENT["paths"].items() for method in at}

    assert written == {(route.path, method) for route in routes for method in route.methods or () if method != "HEAD"}
    assert [route.name for route in routes] == [one.name for one in OPERATIONS]


def test_every_outcome_is_documented_as_it_is_told() -> None:
    """Its status is there, and its body is what the document says."""
    responses = DOCUMENT["paths"]["/api/query"]["post"]["responses"]
    for ending, rule in TABLE.items():
        for status in rule.statuses:
            response = responses[str(status)]
            schema = response["content"]["application/json"]["schema"] | {"components": DOCUMENT["components"]}
            Draft202012Validator(schema).validate(told(outcome(ending, status)).body.model_dump(mode="json"))
            assert ending in response["description"]


def test_422_is_the_gates_alone() -> None:
    """One body, with reason and claim and nothing else; the reasons are the gate's own."""
    response = DOCUMENT["paths"]["/api/query"]["post"]["responses"]["422"]
    schemas = DOCUMENT["components"]["schemas"]

    assert response["content"] == {"application/json": {"schema": {"$ref": "#/components/schemas/BlockedBody"}}}
    assert list(schemas["BlockedBody"]["properties"]) == ["detail"]
    assert list(schemas["BlockedDetail"]["properties"]) == ["reason", "claim_index"]
    assert schemas["BlockedDetail"]["additionalProperties"] is False
    assert "missing_citation" in schemas["GateReason"]["enum"]
    assert [ending for ending, rule in TABLE.items() if 422 in rule.statuses] == [Ending.BLOCKED]
    for operation in OPERATIONS:
        assert all(reply.status != 422 or reply.when == "blocked" for reply in operation.replies)


def test_references_lead_somewhere() -> None:
    """Every one of them, and no schema is there for nothing."""
    text = json.dumps(DOCUMENT)
    named = {part.split('"')[0] for part in text.split("#/components/schemas/")[1:]}

    assert named == set(DOCUMENT["components"]["schemas"])


def test_asking_needs_a_token_and_the_rest_does_not() -> None:
    """As the table says."""
    for operation in OPERATIONS:
        written = DOCUMENT["paths"][operation.path][operation.method.lower()]
        assert ("security" in written) is operation.with_token
        assert ("401" in written["responses"]) is operation.with_token


def test_a_question_is_no_longer_than_retrieval_takes() -> None:
    """So that a long one is refused at the door and not by an error."""
    from core.retrieval import MAX_QUESTION

    assert ApiSettings().longest_query <= MAX_QUESTION
