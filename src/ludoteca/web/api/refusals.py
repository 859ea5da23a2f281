"""How the interface refuses, and how its OpenAPI description says so."""

from __future__ import annotations

from typing import Any

from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi
from pydantic import BaseModel, Field

from ludoteca.text import words

MEANINGS = {
    400: 'impossible',
    403: 'forbidden',
    404: 'absent',
    409: 'late',
    410: 'gone',
    413: 'large',
    421: 'host',
    422: 'undeclared',
    429: 'often',
    503: 'storage',
}
"""By status the name of its meaning in the catalogue."""
EVERYWHERE = (400, 413, 421, 429)
"""What every address may answer before it is asked anything: see security.Guard."""
RETRY_AFTER = {'Retry-After': {'description': words('web.api.retry_after'), 'schema': {'type': 'string'}}}


class Refused(BaseModel):
    """Why something was not done."""

    detail: str = Field(description=words('web.api.detail'))


# by name: with the model itself FastAPI would build a serializer for each status of each address
REFUSED = {'application/json': {'schema': {'$ref': f'#/components/schemas/{Refused.__name__}'}}}


def meaning(status: int) -> str:
    """What a refusal of this status means, in a sentence."""
    return words(f'web.api.refusal.{MEANINGS[status]}')


def refusals(*statuses: int, kind: str = '') -> dict[int | str, dict[str, Any]]:
    """The refusals of an address as its description shows them: these, and those of all addresses. `kind`:
    the media type of what is answered otherwise, if that is not JSON."""
    found: dict[int | str, dict[str, Any]] = {200: {'content': {kind: {}}}} if kind else {}
    for status in sorted({*EVERYWHERE, *statuses}):
        found[status] = {'content': REFUSED, 'description': meaning(status)}
    found[429]['headers'] = RETRY_AFTER
    return found


def describe(app: FastAPI) -> None:
    """Have the application describe itself without what FastAPI adds by itself: every address with a
    parameter would be said to answer 422 with a list of objects."""

    def description() -> dict[str, Any]:
        if app.openapi_schema is None:
            schema = get_openapi(
                title=app.title,
                version=app.version,
                description=app.description,
                routes=app.routes,
                servers=app.servers,
            )
            for verbs in schema['paths'].values():
                for operation in verbs.values():
                    answers = operation['responses']
                    if 'HTTPValidationError' in str(answers.get('422', '')):
                        del answers['422']
            schemas = schema['components']['schemas']
            for name in ('HTTPValidationError', 'ValidationError'):
                schemas.pop(name, None)
            schemas[Refused.__name__] = Refused.model_json_schema()
            app.openapi_schema = schema
        return app.openapi_schema

    app.openapi = description  # type: ignore[method-assign]
