"""The games as environments for programs that learn, a module for each interface.

`arena.environments.aec` is for PettingZoo, `gym` for Gymnasium, `spiel` for OpenSpiel; each needs that
package and NumPy, and nothing else beside the bare installation. docs/research.md describes them.
"""
