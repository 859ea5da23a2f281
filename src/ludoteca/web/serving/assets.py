"""The browser's files, served under a path that holds a hash of all of them. A browser asks for a file once,
and never mixes a new version with an old one: modules import each other by relative paths. Scripts are served
without their comments, and everything is packed once."""

from __future__ import annotations

import gzip
import hashlib
import mimetypes
import re
from functools import cache
from pathlib import Path
from posixpath import dirname, normpath

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from ludoteca.drawing import palette, styles
from ludoteca.drawing.marks import favicon

FOLDER = Path(__file__).parents[1] / 'static'
KINDS = {
    '.js': 'text/javascript; charset=utf-8',
    '.css': 'text/css; charset=utf-8',
    '.svg': 'image/svg+xml',
    '.png': 'image/png',
    '.woff2': 'font/woff2',
}
TOKENS = re.compile(
    r"""
    (?P<text>
        ' (?: \\. | [^'\\\n] )* '
      | " (?: \\. | [^"\\\n] )* "
      | ` (?: \\. | [^`\\] )* `
      # a regular expression: a slash where no number or name ends
      | (?: [(,=:\[!&|?{};] | \breturn\b ) \s*
        / (?![*/]) (?: \\. | \[ (?: \\. | [^]\\\n] )* ] | [^/\\\[\n] )+ /
    )
  | (?P<rest> (?: /\* .*? \*/ | //[^\n]* | \s )+ )
    """,
    re.VERBOSE | re.DOTALL,
)
"""Finds the parts of a script that are kept as they are (`text`), and its comments and spaces (`rest`)."""
IMPORT = re.compile(r"""^(?:import|export)\b(?:[^'";]*\bfrom)?\s*['"](\.{1,2}/[^'"]+)['"]""", re.MULTILINE)
"""Finds the modules that a module imports when it is loaded, by their relative paths."""
FOREVER = 'public, max-age=31536000, immutable'


@cache
def files() -> dict[str, bytes]:
    """All files by their path, including the style sheet that the palette makes."""
    found = {
        path.relative_to(FOLDER).as_posix(): _served(path)
        for path in sorted(FOLDER.rglob('*'))
        if path.is_file() and path.suffix in (*KINDS, '.LICENSE')
    }
    found['board.css'] = styles.stylesheet().encode()
    found['favicon.svg'] = str(favicon()).encode()
    for colour in palette.PLAYERS:
        found[f'favicon-{colour}.svg'] = str(favicon(colour)).encode()
    return found


def _served(path: Path) -> bytes:
    """A file as it is served: a script without its comments, any other file unchanged."""
    content = path.read_bytes()
    return without_comments(content.decode()).encode() if path.suffix == '.js' else content


def without_comments(script: str) -> str:
    """A script without comments, indentation and empty lines; lines stay lines. It may have no template
    literal within another one."""

    def shorter(found: re.Match[str]) -> str:
        if found['text']:
            return found['text']
        return '\n' if '\n' in found['rest'] else ' '

    return TOKENS.sub(shorter, script).lstrip()


@cache
def _packed(path: str) -> bytes:
    """A file, packed by gzip; unpacked if that is no shorter."""
    content = files()[path]
    return min(gzip.compress(content, 9, mtime=0), content, key=len)


@cache
def version() -> str:
    """A hash of all files."""
    digest = hashlib.blake2b(digest_size=6)
    for path, content in files().items():
        digest.update(path.encode() + b'\0' + content + b'\0')
    return digest.hexdigest()


def folder() -> str:
    """The beginning of the addresses of all files."""
    return f'/static/{version()}/'


def url(path: str) -> str:
    """Where a file is found. Raises KeyError for a file that does not exist."""
    files()[path]
    return folder() + path


@cache
def imported(script: str) -> tuple[str, ...]:
    """The paths of all modules that a script imports, also through others, the nearest first. A browser that
    is not told finds them one level after the other, a round trip each."""
    found = [script]
    for path in found:  # it grows
        for relative in IMPORT.findall(files()[path].decode()):
            module = normpath(f'{dirname(path)}/{relative}').lstrip('/')
            if module not in found:
                found.append(module)
    return tuple(found[1:])


async def serve(request: Request) -> Response:
    """A file. Under another version's path the present file is sent, but not kept by the browser."""
    content = files().get(request.path_params['path'])
    if content is None:
        raise HTTPException(404)
    path = Path(request.path_params['path'])
    kind = KINDS.get(path.suffix) or mimetypes.guess_type(path.name)[0] or 'text/plain; charset=utf-8'
    tag = f'"{hashlib.blake2b(content, digest_size=8).hexdigest()}"'
    same = request.path_params['version'] == version()
    headers = {'ETag': tag, 'Cache-Control': FOREVER if same else 'no-cache', 'Vary': 'Accept-Encoding'}
    if request.headers.get('if-none-match') == tag:
        return Response(status_code=304, headers=headers)
    packed = _packed(request.path_params['path'])
    if len(packed) < len(content) and 'gzip' in request.headers.get('accept-encoding', ''):
        return Response(packed, media_type=kind, headers=headers | {'Content-Encoding': 'gzip'})
    return Response(content, media_type=kind, headers=headers)
