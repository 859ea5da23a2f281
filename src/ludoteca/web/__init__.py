"""Pages, live updates, JSON interface, and the browser's static files."""

from ludoteca.web.app import create_app, serve

__all__ = ['create_app', 'serve']
