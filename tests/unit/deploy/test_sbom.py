"""A bill of materials names what the pages have of others, too."""

from __future__ import annotations

import json
from typing import Any

import pytest

from deploy.sbom import complete

ENVIRONMENT: dict[str, Any] = {
    "bomFormat": "CycloneDX",
    "specVersion": "1.6",
    "metadata": {"component": {"bom-ref": "root", "name": "bot-arena", "type": "application"}},
    "components": [{"bom-ref": "a", "name": "a", "type": "library", "purl": "pkg:pypi/a@1"}],
    "dependencies": [{"ref": "root", "dependsOn": ["a"]}, {"ref": "a"}],
}
FILE = {"from": "package/b.js", "sha256": "0" * 64}


def _vendored(files: dict[str, Any]) -> dict[str, Any]:
    return {"packages": {"@of/b": {"version": "2.0", "from": "npm", "licence": "MIT", "files": files}}}


def test_vendored_packages_are_listed_beside_the_others() -> None:
    """Each has its package's address, licence and files, and the project depends on it."""
    bill = json.loads(complete(ENVIRONMENT, _vendored({"b/b.js": FILE})))
    ours = {each["purl"]: each for each in bill["components"]}
    added = ours["pkg:npm/%40of/b@2.0"]
    assert ours.keys() == {"pkg:pypi/a@1", "pkg:npm/%40of/b@2.0"}
    assert added["licenses"] == [{"license": {"id": "MIT"}}]
    assert added["components"][0]["hashes"] == [{"alg": "SHA-256", "content": "0" * 64}]
    (needs,) = (each["dependsOn"] for each in bill["dependencies"] if each["ref"] == "root")
    assert needs == ["a", "pkg:npm/%40of/b@2.0"]


def test_what_is_no_bill_by_the_schema_is_refused() -> None:
    """A checksum that is none is found by CycloneDX's own schema."""
    with pytest.raises(ValueError, match="no bill of materials by CycloneDX"):
        complete(ENVIRONMENT, _vendored({"b/b.js": {**FILE, "sha256": "short"}}))


def test_an_environment_of_nothing_is_refused() -> None:
    """A bill that does not say what it is of is not completed."""
    with pytest.raises(ValueError, match="does not say what it is of"):
        complete({**ENVIRONMENT, "metadata": {}}, _vendored({}))
