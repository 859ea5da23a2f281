"""How Sphinx makes the documentation (`make docs`); what is made meanwhile is in `scripts/documentation`."""

from __future__ import annotations

import os
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

import ludoteca  # noqa: E402
from ludoteca.drawing import palette  # noqa: E402
from scripts.documentation import comments, generated, notebooks, signatures, strict_pages  # noqa: E402

project = 'Ludoteca'
author = 'Ludoteca contributors'
project_copyright = author
version = release = ludoteca.__version__
language = 'en'

extensions = ['sphinx.ext.autodoc', 'sphinx.ext.doctest', 'myst_nb']
exclude_patterns = [
    'README.md',
    '**.txt',
]  # the list of pages for readers of the files; here the contents do it
nitpicky = True
nitpick_ignore_regex = [(r'py:.*', r'(?!ludoteca\.).*')]  # other packages: their documentation is not here

# ---- the interface for Python ------------------------------------------------------------------------------
default_role = 'code'  # docstrings write `name` as Markdown does
add_module_names = False
autodoc_typehints = 'signature'
autodoc_typehints_format = 'short'
python_use_unqualified_type_names = True
autodoc_default_options = {'undoc-members': True, 'member-order': 'bysource'}
autodoc_preserve_defaults = True
autodoc_inherit_docstrings = False  # docstrings of other packages are not written for this one
python_maximum_signature_line_length = 88
toc_object_entries_show_parents = 'hide'

# ---- Markdown and notebooks --------------------------------------------------------------------------------
myst_enable_extensions = ['attrs_inline', 'attrs_block', 'colon_fence', 'deflist']
myst_heading_anchors = 4
nb_execution_mode = os.environ.get('LUDOTECA_NOTEBOOKS', 'cache')
# the constructor of a NamedTuple names types without saying where they are from
suppress_warnings = ['ref.python', *(['myst-nb.lexer'] if nb_execution_mode == 'off' else [])]
nb_execution_timeout = 300
nb_execution_raise_on_error = True
nb_merge_streams = True
nb_mime_priority_overrides = [('html', 'text/html', 5), ('html', 'image/svg+xml', 4)]

# ---- pages -------------------------------------------------------------------------------------------------
html_theme = 'furo'
html_title = 'Ludoteca'
html_static_path = ['_static']
html_css_files = ['ludoteca.css']
html_logo = '_static/emblem.svg'
html_favicon = '_static/emblem.svg'
html_copy_source = False
html_show_sourcelink = False
html_show_sphinx = False
html_domain_indices = True
templates_path = ['_templates']
html_sidebars = {
    '**': [
        f'sidebar/{part}.html'
        for part in ('brand', 'search', 'scroll-start', 'navigation', 'tables', 'scroll-end')
    ]
}
pygments_style = 'tango'
pygments_dark_style = 'github-dark'


def _colours(theme: palette.Tint) -> dict[str, str]:
    """The colours of the tables, by the names of the theme."""
    names = {
        'color-brand-primary': 'accent',
        'color-brand-content': 'accent',
        'color-background-primary': 'surface',
        'color-background-secondary': 'bg',
        'color-background-hover': 'surface-2',
        'color-background-border': 'line',
        'color-foreground-primary': 'text',
        'color-foreground-secondary': 'text-2',
        'color-foreground-muted': 'text-3',
        'color-api-name': 'accent',
        'color-api-pre-name': 'text-3',
        'color-api-overall': 'text-2',
    }
    return {name: palette.value(token, theme) for name, token in names.items()}


html_theme_options = {
    'sidebar_hide_name': False,
    'light_css_variables': _colours('light'),
    'dark_css_variables': _colours('dark'),
    'navigation_with_keys': False,
}


def setup(app: object) -> dict[str, bool]:
    """Called by Sphinx."""
    for part in (comments, generated, notebooks, signatures, strict_pages):
        part.set_up(app)
    return {'parallel_read_safe': True, 'parallel_write_safe': True}
