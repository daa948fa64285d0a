"""How likely one entrant is stronger than another."""

from __future__ import annotations

import numpy as np
from scipy.special import ndtr

from arena.rating.davidson import Floats
from arena.rating.fit import Fit


def superiority(fitted: Fit) -> Floats:
    """The likelihood that the row's entrant is stronger than the column's, shape (entrants, entrants).

    The normal probability that the difference of the two strengths, with the error that it has, is above 0;
    one half on the diagonal.
    """
    strengths, covariance = fitted.strengths, fitted.covariance
    variances = np.diag(covariance)
    spread = np.sqrt(np.maximum(variances[:, None] + variances[None, :] - 2 * covariance, 0))
    np.fill_diagonal(spread, 1.0)
    return np.asarray(ndtr((strengths[:, None] - strengths[None, :]) / spread), dtype=np.float64)
