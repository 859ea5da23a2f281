"""The settings of a server: every limit, and every environment variable that it reads.

The names of the variables are those of the fields in capitals, after LUDOTECA_. What a setting is for and in
which unit is said in the catalogue; `rows` lists all of them for people.
"""

from __future__ import annotations

import os
from dataclasses import dataclass, fields
from ipaddress import ip_network
from pathlib import Path
from typing import Annotated, Any, Literal
from urllib.parse import urlsplit

from pydantic import AfterValidator, Field, SecretStr, ValidationError
from pydantic_settings import BaseSettings, NoDecode, PydanticBaseSettingsSource, SettingsConfigDict

from ludoteca.game import GameError
from ludoteca.store import shown
from ludoteca.text import words
from ludoteca.web.serving.security import HOST, Limits

PREFIX = 'LUDOTECA_'
LEAST_KEY = 24
"""Characters that an operator's key has at least: 24 of base64 are 144 bits."""
IN_TESTS = frozenset(
    f'{PREFIX}{name}'
    for name in (
        *('BROWSERS', 'COMPILED', 'DEALS', 'GAME', 'MODE', 'PLATFORM', 'PROVEN', 'SLOW_MS', 'STEP_MINUTES'),
        *('TEST_PROCESSES', 'WIDTH'),
    )
)
"""Variables of the project's own tests and builds: see docs/development.md."""
IN_RESEARCH = frozenset({f'{PREFIX}WORKERS_WAIT'})
"""Variables that other commands read: see docs/clusters.md."""


class SettingsError(GameError):
    """A setting is not as it should be; the message is one sentence for the person who runs the server."""


def _names(text: str) -> str:
    for name in listed(text):
        if name != '*' and not HOST.fullmatch(name.lower()):
            raise ValueError(words('settings.error.host', name=name))
    return text


def _networks(text: str) -> str:
    for name in listed(text):
        try:
            ip_network(name, strict=False)
        except ValueError as problem:
            raise ValueError(words('settings.error.network', name=name)) from problem
    return text


def _address(text: str) -> str:
    try:
        parts = urlsplit(text)
        whole = parts.scheme in ('http', 'https') and bool(parts.hostname) and (parts.port or 1) > 0
    except ValueError:
        whole = False
    if not text:
        return ''
    if not whole or parts.path.strip('/') or parts.query or parts.fragment:
        raise ValueError(words('settings.error.address'))
    if not HOST.fullmatch(parts.netloc.lower()):
        raise ValueError(words('settings.error.address_host'))
    return f'{parts.scheme}://{parts.netloc}'


def _folder(text: str) -> str:
    if text and not (os.access(text, os.R_OK | os.X_OK) and Path(text).is_dir()):
        raise ValueError(words('settings.error.folder'))
    return text


def _new_folder(text: str) -> str:
    path = Path(text)
    if any(os.access(one, os.F_OK) and one.is_file() for one in (path, *path.parents)):
        raise ValueError(words('settings.error.file'))
    return text


def _key(secret: SecretStr) -> SecretStr:
    if 0 < len(secret.get_secret_value()) < LEAST_KEY:
        raise ValueError(words('settings.error.key', least=LEAST_KEY))
    return secret


Hosts = Annotated[str, NoDecode, AfterValidator(_names)]
Networks = Annotated[str, NoDecode, AfterValidator(_networks)]
Address = Annotated[str, AfterValidator(_address)]
Folder = Annotated[str, AfterValidator(_folder)]
NewFolder = Annotated[str, AfterValidator(_new_folder)]
Key = Annotated[SecretStr, AfterValidator(_key)]


def listed(text: str) -> tuple[str, ...]:
    """The parts of a text with commas between them."""
    return tuple(part.strip() for part in text.split(',') if part.strip())


class Settings(BaseSettings):
    """What a server is told from outside. Arguments of the command line come before the environment."""

    model_config = SettingsConfigDict(env_prefix=PREFIX, extra='ignore', frozen=True, env_ignore_empty=True)

    # where it is
    host: str = '127.0.0.1'
    port: int = Field(8000, ge=0, le=65_535)
    address: Address = ''
    hosts: Hosts = ''
    proxies: Networks = ''
    # what it keeps
    data: str = ''
    database: SecretStr = SecretStr('')
    cache: NewFolder = ''
    games: str = ''
    components: Folder = ''
    own_components: bool | None = None
    # what it tells its operator
    operator_key: Key = SecretStr('')
    log: Literal['text', 'json'] = 'text'
    log_level: Literal['debug', 'info', 'warning', 'error'] = 'warning'
    tracing: bool = False
    # bots
    threads: int | None = Field(None, ge=1, le=256)
    jobs: int | None = Field(None, ge=1, le=256)
    pace: float = Field(0.7, ge=0, le=10, allow_inf_nan=False)
    checked: bool = False
    # how much one person or one address may ask for
    limit_body: int = Field(Limits.body, ge=4_096, le=16 << 20)
    limit_message: int = Field(Limits.message, ge=1_024, le=1 << 20)
    limit_rate: float = Field(Limits.rate, gt=0, le=1e6)
    limit_burst: int = Field(Limits.burst, ge=1, le=1_000_000)
    limit_pages: float = Field(Limits.pages, gt=0, le=1e6)
    limit_pages_burst: int = Field(Limits.pages_burst, ge=1, le=1_000_000)
    limit_tables: int = Field(Limits.tables, ge=1, le=100_000)
    limit_new_tables: float = Field(Limits.new_tables, gt=0, le=1e6)
    limit_new_tables_burst: int = Field(Limits.new_tables_burst, ge=1, le=1_000_000)
    limit_hints: float = Field(Limits.hints, gt=0, le=1e6)
    limit_hints_burst: int = Field(Limits.hints_burst, ge=1, le=1_000_000)
    limit_pictures: float = Field(Limits.pictures, gt=0, le=1e6)
    limit_pictures_burst: int = Field(Limits.pictures_burst, ge=1, le=1_000_000)
    limit_films: float = Field(Limits.films, gt=0, le=1e6)
    limit_films_burst: int = Field(Limits.films_burst, ge=1, le=1_000_000)
    limit_people: float = Field(Limits.people, gt=0, le=1e6)
    limit_people_burst: int = Field(Limits.people_burst, ge=1, le=1_000_000)
    limit_all_tables: int = Field(Limits.all_tables, ge=1, le=10_000_000)
    limit_sockets: int = Field(Limits.sockets, ge=1, le=10_000)
    limit_all_sockets: int = Field(Limits.all_sockets, ge=1, le=1_000_000)

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],  # noqa: ARG003
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,  # noqa: ARG003
        file_secret_settings: PydanticBaseSettingsSource,  # noqa: ARG003
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        """Arguments and the environment only: a file that lies in the working folder by chance is not
        read."""
        return init_settings, env_settings

    @property
    def limits(self) -> Limits:
        """The limits as the server takes them."""
        return Limits(**{one.name: getattr(self, f'limit_{one.name}') for one in fields(Limits)})

    @property
    def trusted(self) -> list[str]:
        """Networks of the proxies that are believed what they say of their clients. A socket for both kinds
        of addresses shows those of IPv4 as ::ffff:10.0.0.1, so each network of them is there twice."""
        found = [ip_network(name, strict=False) for name in listed(self.proxies)]
        mapped = [f'::ffff:{one.network_address}/{96 + one.prefixlen}' for one in found if one.version == 4]
        return [*map(str, found), *mapped]


def read(**given: Any) -> Settings:
    """The settings of this process; `given` that are not None come before the environment. Raises
    SettingsError with one sentence about the first one that is wrong."""
    try:
        return Settings(**{name: value for name, value in given.items() if value is not None})
    except ValidationError as problem:
        first = problem.errors()[0]
        name = str(first['loc'][0])
        value = words('settings.secret') if _is_secret(name) else repr(shown(str(first['input'])))
        reason = str(first.get('ctx', {}).get('error') or first['msg']).rstrip('.')
        said = words(
            'settings.error.wrong', name=variable(name), value=value, reason=reason[:1].lower() + reason[1:]
        )
        raise SettingsError(said) from None


# ---- for people --------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class SettingRow:
    """A setting as people are shown it. `value` and `default` are texts; that of a secret is never shown."""

    name: str
    value: str
    default: str
    bounds: str
    meaning: str
    is_set: bool


def variable(name: str) -> str:
    """The environment variable of a field."""
    return f'{PREFIX}{name.upper()}'


def _is_secret(name: str) -> bool:
    field = Settings.model_fields.get(name)
    return field is not None and isinstance(field.default, SecretStr)


def _shown(value: Any) -> str:
    if isinstance(value, SecretStr):
        return words('settings.secret') if value.get_secret_value() else ''
    if value is None:
        return ''
    return str(value).lower() if isinstance(value, bool) else str(value)


def _bounds(name: str) -> str:
    """What a setting may be: its least and its most value, or its choices."""
    field = Settings.model_fields[name]
    choices = getattr(field.annotation, '__args__', ()) if 'Literal' in str(field.annotation) else ()
    if field.annotation is bool:
        choices = ('true', 'false')
    if choices:
        return ', '.join(map(str, choices))
    found = {
        key: getattr(rule, key) for rule in field.metadata for key in ('ge', 'gt', 'le') if hasattr(rule, key)
    }
    if not found:
        return ''
    least = f'> {found["gt"]:g}' if 'gt' in found else f'{found["ge"]:,}'
    return words('settings.bounds', least=least, most=f'{found["le"]:,.0f}')


def rows(settings: Settings | None = None) -> list[SettingRow]:
    """All settings, as they are declared; with `settings`, as they are."""
    found = []
    for name, field in Settings.model_fields.items():
        value = field.default if settings is None else getattr(settings, name)
        is_set = settings is not None and name in settings.model_fields_set
        meaning = words(f'settings.{name}')
        found.append(
            SettingRow(
                variable(name),
                _shown(value),
                _shown(field.default),
                _bounds(name),
                meaning,
                is_set,
            )
        )
    return found


def unknown() -> list[str]:
    """Variables of the environment that look like settings and are none."""
    known = {variable(name) for name in Settings.model_fields} | IN_TESTS | IN_RESEARCH
    return sorted(name for name in os.environ if name.startswith(PREFIX) and name not in known)
