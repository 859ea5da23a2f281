"""The files of deploy/: they agree with the program and with each other, as far as that can be seen without
running them."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from threading import Thread

import pytest
import yaml
from packaging.specifiers import SpecifierSet
from starlette.routing import Route

from ludoteca.web.api import general
from ludoteca.web.app import hosts_of
from ludoteca.web.serving import settings
from ludoteca.web.serving.security import Limits

ROOT = Path(__file__).parents[2]
DEPLOY = ROOT / 'deploy'
FILES = sorted(path for path in DEPLOY.iterdir() if not path.name.startswith('.'))


@contextmanager
def answering(status: int) -> Iterator[tuple[int, list[str]]]:
    """A server that gives every request this answer: its port, and what it was asked for."""
    asked = list[str]()

    class Answer(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            asked.append(self.path)
            self.send_response(status)
            self.end_headers()

        def log_message(self, *_: object) -> None:
            pass

    with HTTPServer(('127.0.0.1', 0), Answer) as server:
        Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
        yield server.server_port, asked
        server.shutdown()


@pytest.mark.parametrize('path', FILES, ids=lambda path: path.name)
def test_what_they_set_are_settings(path: Path) -> None:
    known = {row.name for row in settings.rows()}
    text = path.read_text('utf-8')
    assert set(re.findall(r'LUDOTECA_[A-Z_]+', text)) <= known
    assert f'`{path.name}`' in (ROOT / 'docs/hosting.md').read_text('utf-8')


def test_the_image_runs_without_rights_and_says_how_it_does() -> None:
    text = (DEPLOY / 'Containerfile').read_text('utf-8')
    user, health = text.index('\nUSER 10001'), text.index('HEALTHCHECK')
    assert user < text.index('ENTRYPOINT')
    assert '/api/ready' in text[health:]
    volumes = re.search(r'VOLUME \[(.*)\]', text)
    assert volumes is not None
    for name in ('DATA', 'CACHE'):
        place = re.search(rf'LUDOTECA_{name}=(\S+)', text)
        assert place is not None
        assert f'"{place[1]}"' in volumes[1], 'nothing else can be written'


def test_the_image_gets_the_files_that_it_is_made_of_and_no_others() -> None:
    """Nothing else goes to the engine: keys, databases and passwords may lie in the folder."""
    text = (DEPLOY / 'Containerfile').read_text('utf-8')
    copied = [line.split()[1:-1] for line in re.findall(r'^COPY (?!--from).*', text, re.MULTILINE)]
    rules = [line for line in (ROOT / '.dockerignore').read_text().splitlines() if line[:1] not in ('', '#')]
    assert rules[0] == '*'
    assert sorted(rules[1:]) == sorted(f'!{name}' for names in copied for name in names)
    assert '.env' in (ROOT / '.gitignore').read_text().splitlines(), 'passwords are not committed'


def test_the_image_has_a_python_for_which_the_program_and_its_lock_are_made() -> None:
    text = (DEPLOY / 'Containerfile').read_text('utf-8')
    usual = re.search(r'^ARG PYTHON_VERSION=(\S+)', text, re.MULTILINE)
    assert usual is not None
    project = tomllib.loads((ROOT / 'pyproject.toml').read_text('utf-8'))['project']
    assert SpecifierSet(project['requires-python']).contains(usual[1])
    bases = re.findall(r'^FROM (\S+)', text, re.MULTILINE)
    assert bases == ['python:${PYTHON_VERSION}-slim'] * 2, 'both stages have the same one'
    compose = yaml.safe_load((DEPLOY / 'compose.yaml').read_text('utf-8'))
    assert compose['services']['server-1']['build']['args'] == {
        'PYTHON_VERSION': f'${{PYTHON_VERSION:-{usual[1]}}}'
    }


def test_images_of_others_are_named_without_a_place_and_ours_with_this_computer() -> None:
    """Engines know where short names lie, or are told; what is built here is looked for nowhere else."""
    compose = yaml.safe_load((DEPLOY / 'compose.yaml').read_text('utf-8'))
    for service in compose['services'].values():
        place, slash, _ = service['image'].rpartition('/')
        assert (place, bool(slash)) == (('localhost', True) if 'build' in service else ('', False))


def test_the_health_check_of_the_image_is_that_of_the_services() -> None:
    """Podman's own format of images has none."""
    text = (DEPLOY / 'Containerfile').read_text('utf-8')
    found = re.search(r'HEALTHCHECK (.*)\\\n\s+CMD (\[.*\])', text)
    assert found is not None
    compose = yaml.safe_load((DEPLOY / 'compose.yaml').read_text('utf-8'))
    health = compose['services']['server-1']['healthcheck']
    assert health['test'] == ['CMD', *json.loads(found[2])]
    assert dict(re.findall(r'--([\w-]+)=(\S+)', found[1])) == {
        name.replace('_', '-'): str(value) for name, value in health.items() if name != 'test'
    }


def test_the_health_check_tells_a_server_that_answers_from_one_that_does_not() -> None:
    text = (DEPLOY / 'Containerfile').read_text('utf-8')
    found = re.search(r'HEALTHCHECK .*\\\n\s+CMD (\[.*\])', text)
    assert found is not None
    script = json.loads(found[1])[-1]
    assert '/api/ready' in {route.path for route in general.router.routes if isinstance(route, Route)}
    for status in (200, 503):
        with answering(status) as (port, asked):
            code = script.replace(':8000/', f':{port}/')
            assert code != script
            run = subprocess.run([sys.executable, '-c', code], capture_output=True, check=False)
            assert (run.returncode == 0) == (status == 200)
            assert asked == ['/api/ready']


def test_the_services_fit_together() -> None:
    compose = yaml.safe_load((DEPLOY / 'compose.yaml').read_text('utf-8'))
    services = compose['services']
    for service in services.values():
        assert 'no-new-privileges:true' in service['security_opt']
        assert service['cap_drop'] == ['ALL']
        for volume in service['volumes']:
            name = volume.partition(':')[0]
            assert name in compose['volumes'] or (DEPLOY / name).exists()
        assert set(service.get('depends_on', ())) <= set(services)
        assert not any(name.startswith('server') for name in service.get('depends_on', ())), (
            'a server can be replaced beside the others: engines take down what depends on it'
        )
    server, proxy = services['server-1'], services['proxy']
    assert services['server-2'] == server, 'the same keys, database and address'
    assert server['read_only']
    assert 'ports' not in server, 'the proxy alone can be reached'
    network = compose['networks']['inside']['ipam']['config'][0]['subnet']
    assert server['environment']['LUDOTECA_PROXIES'] == network
    assert '-h 127.0.0.1' in services['database']['healthcheck']['test'][1], 'not while the database is made'
    reached = [name.removesuffix(':8000') for name in proxy['environment']['SERVERS'].split()]
    assert reached == [name for name in services if name.startswith('server')]
    worker = services['worker']
    assert (worker['image'], worker['command']) == (server['image'], ['work'])
    assert worker['environment']['LUDOTECA_DATABASE'] == server['environment']['LUDOTECA_DATABASE']
    assert (DEPLOY / server['build']['dockerfile'].removeprefix('deploy/')).exists()
    given = {'SITE': 'games.example.org', 'DATABASE_PASSWORD': 'tulip'}
    filled = {
        name.removeprefix('LUDOTECA_').lower(): re.sub(
            r'\$\{(\w+)[^}]*\}', lambda found: given[found[1]], value
        )
        for name, value in server['environment'].items()
    }
    found = settings.read(**filled)
    assert found.address == 'https://games.example.org'
    assert found.database.get_secret_value() == 'postgresql://ludoteca:tulip@database/ludoteca'
    names = hosts_of(found)
    assert {'server-1', 'server-2'} <= set(names), 'Prometheus asks each of them'
    assert 'localhost' in names, 'the proxy asks under this name whether they are ready'
    assert 'games.example.org' in names


@pytest.mark.parametrize('name', ['Caddyfile', 'nginx.conf'])
def test_proxies_bring_https_and_keep_figures_inside(name: str) -> None:
    text = (DEPLOY / name).read_text('utf-8')
    assert 'Strict-Transport-Security "max-age=31536000"' in text
    assert re.search(r'/metrics( \{)?\n\s+(return|respond @inside) 404', text)
    assert '127.0.0.1:8000' in text


def test_proxies_write_no_address_not_even_of_a_request_that_fails() -> None:
    """An address may hold a link that opens a seat."""
    nginx, caddy = ((DEPLOY / name).read_text('utf-8') for name in ('nginx.conf', 'Caddyfile'))
    for server in nginx.split('\nserver {')[1:]:
        assert 'access_log off;' in server
        assert re.search(r'error_log \S+ crit;', server)
    assert not re.search(r'^\tlog', caddy[caddy.index('{$SITE') :], re.MULTILINE), 'no access log'
    assert 'request>uri delete' in caddy
    assert 'request>headers>Referer delete' in caddy


@pytest.mark.skipif(shutil.which('caddy') is None, reason='Caddy is not installed')
def test_caddy_understands_its_file() -> None:
    found = subprocess.run(
        ['caddy', 'adapt', '--config', str(DEPLOY / 'Caddyfile')], capture_output=True, text=True, check=False
    )
    assert found.returncode == 0, found.stderr
    encoder = json.loads(found.stdout)['logging']['logs']['default']['encoder']
    assert encoder['fields']['request>uri'] == {'filter': 'delete'}


def test_nginx_passes_on_who_asks_and_sockets() -> None:
    text = (DEPLOY / 'nginx.conf').read_text('utf-8')
    for header in (
        'Host $http_host',
        'X-Forwarded-For $remote_addr',
        'X-Forwarded-Proto $scheme',
        'Upgrade $http_upgrade',
        'Connection $connection_upgrade',
    ):
        assert f'proxy_set_header {header};' in text


def test_the_service_may_have_as_many_files_open_as_pages_are_promised() -> None:
    most = re.search(r'^LimitNOFILE=(\d+)$', (DEPLOY / 'ludoteca.service').read_text('utf-8'), re.MULTILINE)
    assert most is not None
    assert int(most[1]) > Limits.all_sockets


def test_other_commands_are_run_as_the_service_is() -> None:
    unit = (DEPLOY / 'ludoteca.service').read_text('utf-8').splitlines()
    docs = (ROOT / 'docs/hosting.md').read_text('utf-8')
    function = re.search(r'as_ludoteca\(\) {(.*?)\n}', docs, re.DOTALL)
    assert function is not None
    lines = re.findall(r'-p (\S+)', function[1])
    lines += [f'Environment={one}' for one in re.findall(r'-E (\S+)', function[1])]
    assert set(lines) <= set(unit)
    assert {line for line in unit if re.match('Environment|User|DynamicUser|State|Cache|UMask', line)} == set(
        lines
    )


@pytest.mark.skipif(shutil.which('systemd-analyze') is None, reason='systemd is not installed')
def test_systemd_understands_the_unit(tmp_path: Path) -> None:
    text = (DEPLOY / 'ludoteca.service').read_text('utf-8')
    unit = tmp_path / 'ludoteca.service'
    unit.write_text(re.sub(r'ExecStart=\S+', 'ExecStart=/bin/true', text))
    found = subprocess.run(
        ['systemd-analyze', 'verify', str(unit)], capture_output=True, text=True, check=False
    )
    assert (found.returncode, found.stderr) == (0, '')
