"""The documents and what was computed of them: the newest report in the data folder that tells of each.

A report is a folder that `arena reproduce` has written, with or without ``--publish``, below the folder
``reproduction`` of the data folder. What needs no computing is known without any.
"""

from __future__ import annotations

import datetime as dt
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

import structlog
from pydantic import ValidationError

from arena.core.errors import NotFoundError
from arena.core.folder import DataFolder
from arena.documents.inventory import DOCUMENTS, Claim, Known, inventory, known
from arena.documents.texts import Words
from arena.schemas.reproduction import BothOut, ClaimOut, ComputedOut, DocumentOut, ReportFile, SectionOut

log = structlog.get_logger()


class Published(NamedTuple):
    """What a report tells of a document, and the folder that it is in."""

    folder: Path
    made_at: dt.datetime
    report: ReportFile
    section: SectionOut


def document_of(data_dir: Path, name: str) -> DocumentOut:
    """A document, everything that it says, and what was computed of it.

    Raises:
        NotFoundError: there is no such document.
    """
    _require(name)
    found = _published(data_dir, name)
    title, source = DOCUMENTS[name]
    return DocumentOut(
        name=name,
        title=_both(title),
        source=_both(source),
        claims=_claims(name, found.section if found else None),
        computed=_computed(found) if found else None,
    )


def documents_of(data_dir: Path) -> list[DocumentOut]:
    """All of them, in the report's order."""
    return [document_of(data_dir, name) for name in DOCUMENTS]


def figure_of(data_dir: Path, name: str, key: str) -> bytes:
    """A drawing of the report on a document, an SVG file.

    Raises:
        NotFoundError: there is none.
    """
    _require(name)
    found = _published(data_dir, name)
    if found and any(figure.key == key for figure in found.section.figures):
        try:
            return (found.folder / "figures" / name / f"{key}.svg").read_bytes()
        except OSError as error:
            log.warning("a figure cannot be read", document=name, figure=key, error=str(error))
    raise NotFoundError(f"there is no figure {key!r} of the document {name!r}")


def _require(name: str) -> None:
    if name not in DOCUMENTS:
        raise NotFoundError(f"there is no document {name!r}; there are {', '.join(DOCUMENTS)}")


def _published(data_dir: Path, name: str) -> Published | None:
    """What the newest report that tells of the document says."""
    found = []
    for path in DataFolder(data_dir).reproduction.glob("*/report.json"):
        try:
            stamp = path.stat().st_mtime_ns
        except OSError:
            continue
        report = _report(path, stamp)
        section = next((each for each in report.documents if each.name == name), None) if report else None
        if report and section:
            made_at = dt.datetime.fromtimestamp(stamp / 1e9, dt.UTC)
            found.append(Published(path.parent, made_at, report, section))
    return max(found, key=lambda each: each.made_at, default=None)


@lru_cache(maxsize=16)
def _report(path: Path, stamp: int) -> ReportFile | None:
    """What a file says that was written at that moment; None where it is no report of this version."""
    del stamp
    try:
        return ReportFile.model_validate_json(path.read_bytes())
    except (OSError, ValidationError) as error:
        log.warning("a report cannot be read; make it anew", path=str(path), error=str(error)[:500])
        return None


def _claims(name: str, section: SectionOut | None) -> list[ClaimOut]:
    """Every claim, with what a report says of it, or else what is known without one."""
    answers = known(name)
    told = {each.key: each for each in section.claims} if section else {}
    return [_claim(claim, answers[claim.key], told.get(claim.key)) for claim in inventory(name)]


def _claim(claim: Claim, answer: Known, told: ClaimOut | None) -> ClaimOut:
    return ClaimOut(
        key=claim.key,
        kind=claim.kind,
        where=claim.where,
        says=_both(claim.says),
        standing=told.standing if told else answer.standing,
        found=told.found if told else _both(answer.found) if answer.found else None,
        page=answer.page or None,
        command=answer.command or None,
        about=told.about if told else [],
    )


def _computed(found: Published) -> ComputedOut:
    report, section = found.report, found.section
    return ComputedOut(
        made_at=found.made_at,
        version=report.version,
        seed=report.seed,
        effort=report.effort,
        verdicts=section.verdicts,
        exhibits=section.exhibits,
        figures=section.figures,
        comments=section.comments,
    )


def _both(words: Words) -> BothOut:
    return BothOut(zh=words.zh, en=words.en)
