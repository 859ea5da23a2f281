"""Links: from what a search expects to how often that comes true.

A link has one parameter, an exponent. Every seat's expected outcome is raised to it, and the seats share one
again: q[i] = p[i]^a / sum(p[j]^a). With two seats that is the logistic link without intercept, logit q =
a logit p. An exponent of 1 changes nothing; above 1 the search was too cautious, below 1 too sure of itself.
"""

from __future__ import annotations

import numpy as np

from ludoteca.kernel import Floats

FLOOR = 1e-3
"""Less than this is expected of no seat: a search may be sure without being right."""
STEPS = 100


def linked(expected: Floats, exponent: float) -> Floats:
    """Expected outcomes, shape (…, seats), after a link. What has summed to 1 does so again."""
    if exponent == 1.0:
        return expected
    logs = exponent * np.log(np.clip(expected, FLOOR, 1.0))
    powers = np.exp(logs - logs.max(axis=-1, keepdims=True))
    return np.asarray(powers / powers.sum(axis=-1, keepdims=True))


def fit(expected: Floats, outcome: Floats) -> tuple[float, float]:
    """The exponent with the greatest likelihood and its standard error, for expected outcomes and outcomes of
    shape (games, seats). Newton's method: the logarithm of the likelihood is concave. Where nothing speaks
    for an exponent it is 1, with an infinite error."""
    logs = np.log(np.clip(expected, FLOOR, 1.0))
    exponent, curvature = 1.0, 0.0
    for _ in range(STEPS):
        shares = linked(np.exp(logs), exponent) if exponent != 1.0 else np.exp(logs)
        shares = shares / shares.sum(axis=1, keepdims=True)
        mean = (shares * logs).sum(axis=1)
        slope = float(((outcome - shares) * logs).sum())
        curvature = float((shares * np.square(logs - mean[:, None])).sum())
        if curvature <= 0.0:
            return 1.0, float('inf')
        # a step of at most 1 keeps to where the second derivative says something
        step = float(np.clip(slope / curvature, -1.0, 1.0))
        exponent += step
        if abs(step) < 1e-9:
            break
    return exponent, float(1.0 / np.sqrt(curvature))
