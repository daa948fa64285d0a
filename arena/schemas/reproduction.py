"""The documents, what they say claim by claim, and what became of it here."""

from __future__ import annotations

import datetime as dt

from pydantic import BaseModel, Field

from arena.documents.inventory import ClaimKind, Standing


class BothOut(BaseModel):
    """The same words in Traditional Chinese and in English."""

    zh: str
    en: str


class GridOut(BaseModel):
    """A table as it is printed."""

    columns: list[str]
    rows: list[list[str]]


class ComparisonOut(BaseModel):
    """A figure of a document beside ours, and whether the two agree."""

    key: str
    what: BothOut
    document: str = Field(description="As printed.")
    ours: str
    method: str = Field(description="How the two were compared.")
    verdict: str
    adjusted: float | None = Field(description="The p-value, adjusted for all tests of the document.")
    expected: tuple[float, float] | None = Field(
        description="Where the document's figure lies in 95 of 100 cases if both describe the same."
    )
    interval: tuple[float, float] | None = Field(description="The 95 % confidence interval of ours.")
    cell: tuple[int, int] | None = Field(description="Its row and column in the document's table.")


class ExhibitOut(BaseModel):
    """A table, or a group of figures, of a document beside ours."""

    key: str
    title: BothOut
    note: BothOut | None
    document: GridOut | None
    ours: GridOut | None
    comparisons: list[ComparisonOut]


class FigureOut(BaseModel):
    """A drawing, which has an address of its own."""

    key: str
    title: BothOut


class CommentOut(BothOut):
    """What is to be said about the comparisons with these keys."""

    about: list[str]


class ClaimOut(BaseModel):
    """Something that a document says, and what became of it; null where that has not been computed."""

    key: str
    kind: ClaimKind
    where: str
    says: BothOut
    standing: Standing | None
    found: BothOut | None
    page: str | None = Field(description="The page that does it now.", examples=["/experiments"])
    command: str | None = Field(description="The command that does it now.")
    about: list[str] = Field(description="The keys of comparisons, tables or figures that it rests on.")


class SectionOut(BaseModel):
    """What was computed of a document, as `arena reproduce` writes it."""

    name: str
    verdicts: dict[str, int] = Field(description="How many comparisons came to each verdict.")
    exhibits: list[ExhibitOut]
    figures: list[FigureOut]
    comments: list[CommentOut]
    claims: list[ClaimOut]


class ReportFile(BaseModel):
    """A report, as `arena reproduce` writes it."""

    version: str
    seed: int
    effort: dict[str, int]
    documents: list[SectionOut]


class ComputedOut(BaseModel):
    """What was computed of a document, when, and with how many games."""

    made_at: dt.datetime
    version: str
    seed: int
    effort: dict[str, int]
    verdicts: dict[str, int]
    exhibits: list[ExhibitOut]
    figures: list[FigureOut]
    comments: list[CommentOut]


class DocumentOut(BaseModel):
    """A document, everything that it says, and what was computed of it, if anything was published."""

    name: str = Field(examples=["nim"])
    title: BothOut
    source: BothOut
    claims: list[ClaimOut]
    computed: ComputedOut | None
