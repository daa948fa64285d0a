"""The models that ratings are told by; a list apart from them, because SciPy takes long to read."""

from __future__ import annotations

from typing import Literal, get_args

ModelName = Literal["davidson", "ordo", "ordo-plain", "bayeselo", "bayeselo-plain"]
"""Ours, and those of other programs for comparing figures.

`ordo` is what Ordo prints with ``-W -D -a 0``, and `ordo-plain` with ``-a 0`` alone; `bayeselo` is BayesElo's
``mm 1 1`` and `bayeselo-plain` its ``mm``, both with ``covariance``.
"""

MODELS: tuple[ModelName, ...] = get_args(ModelName)
