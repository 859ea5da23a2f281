"""Settings of the server: what is wrong is said in a sentence, and the documentation lists all of them."""

from __future__ import annotations

import re
from dataclasses import fields
from pathlib import Path

import anyio
import pytest
from starlette.types import Message, Receive, Scope, Send

import ludoteca
from ludoteca.web.app import behind, hosts_of
from ludoteca.web.serving import settings
from ludoteca.web.serving.security import LOOPBACK, Limits

PACKAGE = Path(ludoteca.__file__).parent
DOCS = Path(__file__).parents[2] / 'docs/hosting.md'


@pytest.fixture(autouse=True)
def no_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    for row in settings.rows():
        monkeypatch.delenv(row.name, raising=False)


def table() -> str:
    """The table of docs/hosting.md."""
    lines = ['| variable | default | may be | meaning |', '| --- | --- | --- | --- |']
    for row in settings.rows():
        default = f'`{row.default}`' if row.default else ''
        lines.append(f'| `{row.name}` | {default} | {row.bounds} | {row.meaning} |')
    return '\n'.join(lines)


def test_the_documentation_lists_all_settings_as_they_are() -> None:
    assert table() in DOCS.read_text('utf-8')


def test_every_variable_that_the_package_reads_is_a_setting() -> None:
    known = {row.name for row in settings.rows()} | settings.IN_TESTS
    for path in PACKAGE.rglob('*.py'):
        read = re.findall(r"environ[^\n]{0,9}['\"](LUDOTECA_[A-Z_]+)", path.read_text('utf-8'))
        assert set(read) <= known, path


def test_every_limit_is_a_setting_with_the_same_default() -> None:
    assert settings.read().limits == Limits()
    named = {row.name for row in settings.rows() if row.name.startswith('LUDOTECA_LIMIT_')}
    assert named == {settings.variable(f'limit_{one.name}') for one in fields(Limits)}


def test_every_setting_can_be_given_and_is_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv('LUDOTECA_LIMIT_BURST', '9')
    monkeypatch.setenv('LUDOTECA_LIMIT_RATE', '0.5')
    monkeypatch.setenv('LUDOTECA_PORT', '')
    found = settings.read(host='::1', port=None)
    assert (found.limits.burst, found.limits.rate, found.host, found.port) == (9, 0.5, '::1', 8000)


@pytest.mark.parametrize(
    ('name', 'value', 'part'),
    [
        ('PORT', '70000', '65535'),
        ('PORT', 'http', 'integer'),
        ('LOG', 'xml', "'text' or 'json'"),
        ('ADDRESS', 'games.example.org', 'https://games.example.org'),
        ('ADDRESS', 'https://games.example.org/ludoteca', 'https://games.example.org'),
        ('ADDRESS', 'https://games.example.org:port', 'https://games.example.org'),
        ('ADDRESS', 'https://a b', 'such as games.example.org'),
        ('ADDRESS', 'https://games_"x.example/', 'such as games.example.org'),
        ('ADDRESS', 'https://ann:tulip@games.example.org', 'such as games.example.org'),
        ('ADDRESS', 'https://bücher.example', 'xn--bcher-kva.example'),
        ('COMPONENTS', '/no/such/folder', 'no such folder'),
        ('CACHE', __file__, 'should be a folder'),
        ('CACHE', f'{__file__}/kernels', 'should be a folder'),
        ('HOSTS', 'http://games.example.org', 'without http'),
        ('PROXIES', '127.0.0.1, proxy', '10.0.0.0/8'),
        ('THREADS', '0', 'greater than or equal to 1'),
        ('PACE', 'nan', 'finite'),
        ('LIMIT_RATE', '0', 'greater than 0'),
        ('LIMIT_BODY', '10', '4096'),
        ('OPERATOR_KEY', 'tulip', 'at least 24'),
    ],
)
def test_a_wrong_value_is_said_in_one_sentence(
    monkeypatch: pytest.MonkeyPatch, name: str, value: str, part: str
) -> None:
    monkeypatch.setenv(f'LUDOTECA_{name}', value)
    with pytest.raises(settings.SettingsError) as refused:
        settings.read()
    sentence = str(refused.value)
    assert sentence.startswith(f'The setting LUDOTECA_{name} is ')
    assert part in sentence
    assert sentence.endswith('.')
    assert '\n' not in sentence
    assert 'tulip' not in sentence, 'a secret is not repeated'


def test_only_a_variable_that_no_command_reads_is_said_to_be_no_setting(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv('LUDOTECA_WORKERS_WAIT', '60')
    monkeypatch.setenv('LUDOTECA_PROXY', '127.0.0.1')
    assert settings.unknown() == ['LUDOTECA_PROXY']


def test_a_file_in_the_working_folder_is_not_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / '.env').write_text('LUDOTECA_PORT=9000')
    assert settings.read().port == 8000


def test_host_names_follow_from_where_it_listens_and_how_it_is_reached() -> None:
    assert hosts_of(settings.read()) == LOOPBACK
    assert hosts_of(settings.read(address='https://games.example.org')) == (*LOOPBACK, 'games.example.org')
    assert hosts_of(settings.read(host='0.0.0.0')) == ('*',)
    told = {'host': '0.0.0.0', 'hosts': 'a.example, b.example'}
    assert hosts_of(settings.read(**told)) == (*LOOPBACK, 'a.example', 'b.example')
    assert hosts_of(settings.read(**told, address='https://[2001:db8::1]:8443')) == (
        *LOOPBACK,
        '[2001:db8::1]',
        'a.example',
        'b.example',
    )


# ---- behind a proxy ----------------------------------------------------------------------------------------

FORWARDED = [(b'x-forwarded-for', b'198.51.100.7, 203.0.113.9'), (b'x-forwarded-proto', b'https')]


async def seen(proxies: str, client: str) -> tuple[str, str]:
    """Address and scheme of a request as the application sees it."""
    found: list[Scope] = []

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        found.append(scope)

    async def receive() -> Message:
        raise AssertionError

    async def send(message: Message) -> None:
        raise AssertionError

    scope: Scope = {'type': 'http', 'client': (client, 1), 'scheme': 'http', 'headers': FORWARDED}
    await behind(app, settings.read(proxies=proxies))(scope, receive, send)
    return found[0]['client'][0], found[0]['scheme']


@pytest.mark.parametrize(
    ('proxies', 'client', 'expected'),
    [
        ('', '127.0.0.1', ('127.0.0.1', 'http')),
        ('10.0.0.0/8', '127.0.0.1', ('127.0.0.1', 'http')),
        ('127.0.0.1', '127.0.0.1', ('203.0.113.9', 'https')),
        # the nearest that is no proxy of ours: what lies before it, anybody could have written
        ('127.0.0.1, 203.0.113.0/24', '127.0.0.1', ('198.51.100.7', 'https')),
        ('127.0.0.1', '192.0.2.1', ('192.0.2.1', 'http')),
        # any address of a network names it
        ('127.0.0.1/8', '127.1.2.3', ('203.0.113.9', 'https')),
        ('2001:db8::1/32', '2001:db8::2', ('203.0.113.9', 'https')),
        # as a socket for IPv4 and IPv6 shows it
        ('127.0.0.1, 203.0.113.0/24', '::ffff:127.0.0.1', ('198.51.100.7', 'https')),
        ('127.0.0.1', '::ffff:192.0.2.1', ('::ffff:192.0.2.1', 'http')),
    ],
)
def test_only_a_configured_proxy_says_who_asks(proxies: str, client: str, expected: tuple[str, str]) -> None:
    assert anyio.run(seen, proxies, client) == expected
