"""Pages without inline scripts and styles, and without addresses that hold data.

The server's policy for content allows what comes in files of its own and nothing else. So what the theme
writes into pages and style sheets is moved into files when a build ends.
"""

from __future__ import annotations

import hashlib
import os
import re
from functools import partial
from pathlib import Path
from typing import Any
from urllib.parse import unquote

BLOCK = re.compile(r'<(script|style)>(.*?)</\1>', re.DOTALL)
STYLED = re.compile(r'<([a-zA-Z][\w-]*)((?:\s[^<>]*?)?)\sstyle="([^"]*)"([^<>]*)>')
CLASS = re.compile(r'\sclass="([^"]*)"')
DATA = re.compile(r"""url\((?P<quote>["'])data:image/svg\+xml;charset=utf-8,(?P<svg>.*?)(?P=quote)\)""")
STYLES = 'inline.css'


def set_up(app: Any) -> None:
    """Called by Sphinx."""
    app.connect('build-finished', _finish)


def _finish(app: Any, problem: Exception | None) -> None:
    if problem is None and app.builder.format == 'html':
        make_strict(Path(app.outdir))


def make_strict(site: Path) -> None:
    """Move all that is inline in the pages and style sheets of a folder into files."""
    static = site / '_static'
    kept = static / STYLES
    rules = set(kept.read_text('utf-8').splitlines()) if kept.exists() else set[str]()
    for page in sorted(site.rglob('*.html')):
        text = page.read_text('utf-8')
        to_root = os.path.relpath(static, page.parent).replace(os.sep, '/')
        changed = BLOCK.sub(partial(_file_of, static=static, to_root=to_root), text)
        changed = STYLED.sub(lambda found: _class_of(found, rules), changed)
        link = f'<link rel="stylesheet" href="{to_root}/{STYLES}">'
        if link not in changed:
            changed = changed.replace('</head>', f'{link}</head>', 1)
        if changed != text:
            page.write_text(changed, 'utf-8')
    kept.write_text('\n'.join(sorted(rules)), 'utf-8')
    for sheet in sorted(static.rglob('*.css')):
        text = sheet.read_text('utf-8')
        changed = DATA.sub(partial(_picture_of, folder=sheet.parent), text)
        if changed != text:
            sheet.write_text(changed, 'utf-8')


def inline(text: str) -> list[str]:
    """The tags of a page that hold a script or a style: none, once it is strict."""
    tags = re.findall(r'<[a-zA-Z][^<>]*>', text)
    return [
        tag
        for tag in tags
        if re.match(r'<style\b', tag)
        or re.search(r'\s(?:style|on\w+)="', tag)
        or (re.match(r'<script\b', tag) and ' src="' not in tag and 'type="application/json"' not in tag)
    ]


def _digest(text: str) -> str:
    return hashlib.blake2b(text.encode(), digest_size=5).hexdigest()


def _file_of(found: re.Match[str], static: Path, to_root: str) -> str:
    """The element that loads a script or a style from a file of its own."""
    kind, text = found.groups()
    name = f'inline-{_digest(text)}.{"js" if kind == "script" else "css"}'
    (static / name).write_text(text, 'utf-8')
    if kind == 'script':
        return f'<script src="{to_root}/{name}"></script>'
    return f'<link rel="stylesheet" href="{to_root}/{name}">'


def _class_of(found: re.Match[str], rules: set[str]) -> str:
    """The tag with a class in place of its style."""
    tag, before, style, after = found.groups()
    name = f'inline-{_digest(style)}'
    rules.add(f'.{name} {{ {style} }}')
    rest = f'{before}{after}'
    if CLASS.search(rest):
        rest = CLASS.sub(lambda found: f' class="{found[1]} {name}"', rest, count=1)
    else:
        rest = f' class="{name}"{rest}'
    return f'<{tag}{rest}>'


def _picture_of(found: re.Match[str], folder: Path) -> str:
    svg = unquote(found['svg'])
    name = f'icon-{_digest(svg)}.svg'
    (folder / name).write_text(svg, 'utf-8')
    return f'url("{name}")'
