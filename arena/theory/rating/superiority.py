"""How likely one entrant is stronger than another, and how well their difference is known."""

from __future__ import annotations

import numpy as np
from scipy.special import ndtr

from arena.theory.rating.fit import Fit
from arena.theory.rating.likelihood import Floats


def difference_variances(fitted: Fit) -> Floats:
    """The variance of the difference of every two strengths, shape (entrants, entrants), 0 on the diagonal.

    In squared units of the strengths, natural logarithms of odds; strengths that are fitted to the same games
    vary together, and that is taken into account.
    """
    variances = np.diag(fitted.covariance)
    spread = variances[:, None] + variances[None, :] - 2 * fitted.covariance
    return np.asarray(np.maximum(spread, 0), dtype=np.float64)


def superiority(fitted: Fit) -> Floats:
    """The likelihood that the row's entrant is stronger than the column's, shape (entrants, entrants).

    The normal probability that the difference of the two strengths, with the error that it has, is above 0;
    one half on the diagonal.
    """
    strengths, spread = fitted.strengths, np.sqrt(difference_variances(fitted))
    np.fill_diagonal(spread, 1.0)
    return np.asarray(ndtr((strengths[:, None] - strengths[None, :]) / spread), dtype=np.float64)
