"""The addresses of pages, pictures and the operator; boards for analysis; what a request is about."""

from __future__ import annotations

from ludoteca.web.routes import components, operator, pages, reviews, sharing, sign_in

ROUTERS = (
    components.router,
    pages.router,
    reviews.router,
    sharing.router,
    sign_in.router,
    operator.router,
)
