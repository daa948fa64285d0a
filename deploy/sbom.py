"""Add what the pages have of others to a bill of materials: `python -m deploy.sbom FILE`.

FILE is CycloneDX's JSON of an environment of Python packages; the vendored packages are added, with their
licences and the SHA-256 of their files. What comes out is checked against CycloneDX's own schema.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from cyclonedx.contrib.license.factories import LicenseFactory
from cyclonedx.model import HashAlgorithm, HashType
from cyclonedx.model.bom import Bom
from cyclonedx.model.component import Component, ComponentType
from cyclonedx.output.json import JsonV1Dot6
from cyclonedx.schema import SchemaVersion
from cyclonedx.validation.json import JsonStrictValidator
from packageurl import PackageURL

from deploy.check_vendored import MANIFEST, VENDOR


def complete(environment: dict[str, Any], vendored: dict[str, Any]) -> str:
    """The bill of both, as JSON.

    Raises:
        ValueError: it is none by the schema.
    """
    bom = Bom.from_json(environment)
    root = bom.metadata.component
    if root is None:
        message = "the environment's bill does not say what it is of"
        raise ValueError(message)
    packages = [_component(name, package) for name, package in sorted(vendored["packages"].items())]
    bom.components.update(packages)
    bom.register_dependency(root, packages)
    text = JsonV1Dot6(bom).output_as_string(indent=2)
    if fault := JsonStrictValidator(SchemaVersion.V1_6).validate_str(text):
        message = f"no bill of materials by CycloneDX 1.6: {fault}"
        raise ValueError(message)
    return text


def _component(name: str, package: dict[str, Any]) -> Component:
    group, _, short = name.rpartition("/")
    purl = PackageURL("npm", group or None, short, package["version"])
    return Component(
        name=short,
        group=group or None,
        version=package["version"],
        purl=purl,
        bom_ref=purl.to_string(),
        licenses=[LicenseFactory().make_from_string(package["licence"])],
        components=[
            Component(
                name=path,
                type=ComponentType.FILE,
                bom_ref=path,
                hashes=[HashType(alg=HashAlgorithm.SHA_256, content=file["sha256"])],
            )
            for path, file in package["files"].items()
        ],
    )


def main(file: Path) -> None:
    """Complete the file in its place."""
    vendored = json.loads((VENDOR / MANIFEST).read_text(encoding="utf-8"))
    text = complete(json.loads(file.read_text(encoding="utf-8")), vendored)
    file.write_text(f"{text}\n", encoding="utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
