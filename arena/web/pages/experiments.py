"""The pages of experiments: all of them, one while it is played, and the form for a new one."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Annotated

from fastapi import APIRouter, Depends, Form, Path, Query, Request, Response
from fastapi.responses import HTMLResponse

from arena.access import permissions
from arena.coordinator import losses
from arena.core.errors import ArenaError, ConflictError
from arena.core.terms import UNFINISHED, ExperimentFormat, ExperimentState
from arena.documents.inventory import DOCUMENTS
from arena.experiments import lifecycle, sweeps
from arena.store.models import Experiment, User
from arena.web.answers.experiment_export import export_of, part_of_recording
from arena.web.answers.experiments import experiment_of, results_of
from arena.web.answers.sweeps import sweeps_of
from arena.web.http.dependencies import InServices, InSession
from arena.web.http.download import Download
from arena.web.http.responses import Part, page_of
from arena.web.http.visibility import Viewer
from arena.web.http.visited_routes import MaybeVisitedExportRoute
from arena.web.http.web_sessions import AdminVisitor, MaybeVisitor, Visitor
from arena.web.pages import course_chart, experiment_forms
from arena.web.pages.experiment_forms import LABELS, Asker, InAsker, Typed
from arena.web.pages.following import again
from arena.web.pages.forms import refused, see
from arena.web.pages.own_words import game_names
from arena.web.pages.rendering import render
from engines.presentation import Words
from engines.strategies import strategies
from workers.simulation.contract import MAX_GAMES

HOME = "/experiments"
FEW = 10
"""So many sweeps stand above the experiments."""
TITLES = {name: Words(each.title.en, each.title.zh) for name, each in DOCUMENTS.items()}
"""What the documents are called."""
MAX_PARTS = 100
"""So many parts of a recording are linked; more are fetched by the command."""
Number = Annotated[int, Path(ge=1, lt=2**31)]
router = APIRouter(default_response_class=HTMLResponse)
exporting = APIRouter(route_class=MaybeVisitedExportRoute)


def get_experiment(session: InSession, visitor: MaybeVisitor, number: Number) -> Experiment:
    """The experiment that the path names."""
    return lifecycle.get_for(session, visitor, number)


InExperiment = Annotated[Experiment, Depends(get_experiment)]


@router.get("/experiments")
def list_experiments(request: Request, session: InSession, visitor: MaybeVisitor, part: Part) -> HTMLResponse:
    """All sweeps and experiments that one may see, newest first."""
    rows, total = lifecycle.list_experiments(session, visitor, part.offset, part.limit, alone=True)
    grids, grids_total = sweeps.list_sweeps(session, visitor, 0, FEW)
    page = page_of([experiment_of(Viewer(visitor), row) for row in rows], total, part)
    going = any(each.state in UNFINISHED for each in page.items)
    return render(
        request,
        "experiments.html",
        page=page,
        sweeps=sweeps_of(session, visitor, grids),
        sweeps_total=grids_total,
        visitor=visitor,
        plays=visitor is not None and permissions.plays(visitor),
        live=again(going=going),
    )


@router.get("/experiments/new")
def prepare(asker: InAsker, typed: Annotated[Typed, Query()]) -> HTMLResponse:
    """The form by which an experiment is asked for."""
    return _form(asker, experiment_forms.asked(typed))


@router.post("/experiments/new")
def create(asker: InAsker, typed: Annotated[Typed, Form()]) -> Response:
    """Have games played."""
    try:
        made = lifecycle.create(asker.session, asker.visitor, typed.plan(), asker.quota)
        return see(f"{HOME}/{made.id}")
    except ArenaError as error:
        asker.session.rollback()
        return _form(asker, typed, error)


@router.get("/experiments/{number}")
def show(request: Request, visitor: MaybeVisitor, experiment: InExperiment) -> HTMLResponse:
    """One experiment: what is played, how far it is, and what its games come to."""
    return _page(request, visitor, experiment)


@router.post("/experiments/{number}/cancel")
def cancel(request: Request, session: InSession, visitor: Visitor, experiment: InExperiment) -> Response:
    """End it."""
    permissions.require_order(visitor, experiment)
    cancelled = partial(lifecycle.cancel, session, visitor, experiment)
    return _done(request, session, visitor, experiment, cancelled)


@router.post("/experiments/{number}/retry")
def retry(request: Request, session: InSession, admin: AdminVisitor, experiment: InExperiment) -> Response:
    """Have one that was given up go on from where it was."""
    retried = partial(losses.retry_experiment, session, admin, experiment)
    return _done(request, session, admin, experiment, retried)


@exporting.get("/experiments/{number}/counts.csv", response_class=Response)
def export_counts(services: InServices, experiment: InExperiment) -> Download:
    """What the games that are done come to, for a spreadsheet."""
    return export_of(services, experiment, ExperimentFormat.CSV)


@exporting.get("/experiments/{number}/games.jsonl", response_class=Response)
def export_games(services: InServices, experiment: InExperiment) -> Download:
    """The games themselves, a line each."""
    return export_of(services, experiment, ExperimentFormat.JSONL)


@router.get("/experiments/{number}/parts/{start}", response_class=Response)
def get_part(
    services: InServices,
    visitor: MaybeVisitor,
    experiment: InExperiment,
    start: Annotated[int, Path(ge=0, lt=MAX_GAMES)],
) -> Response:
    """A part of a recording, a Parquet file."""
    part = part_of_recording(services, visitor, experiment, start)
    name = f'attachment; filename="experiment-{experiment.id}-{start}.parquet"'
    part.headers["Content-Disposition"] = name
    return part


def _done(
    request: Request, session: InSession, visitor: User, experiment: Experiment, act: Callable[[], None]
) -> Response:
    """The page after an act, or what refused it."""
    try:
        act()
    except ConflictError as error:
        session.rollback()
        return refused(_page(request, visitor, experiment, error), error)
    return see(f"{HOME}/{experiment.id}")


def _page(
    request: Request, visitor: User | None, experiment: Experiment, error: ArenaError | None = None
) -> HTMLResponse:
    viewer = Viewer(visitor)
    told, results = experiment_of(viewer, experiment), results_of(viewer, experiment)
    over = experiment.state not in UNFINISHED
    starts = range(0, experiment.done, experiment.chunk) if experiment.columns else range(0)
    return render(
        request,
        "experiment.html",
        error.status if error else 200,
        experiment=told,
        results=results,
        chart=course_chart.chart(results.course, results.printed),
        size=(course_chart.WIDTH, course_chart.HEIGHT),
        titles=TITLES,
        over=over,
        cancels=not over and permissions.opens_order(visitor, experiment),
        retries=experiment.state == ExperimentState.FAILED and permissions.is_admin(visitor),
        parts_=starts[:MAX_PARTS] if permissions.sees_seeds(visitor, experiment, experiment.state) else (),
        parts_total=len(starts),
        refused=error,
        live=again(going=not over),
    )


def _form(asker: Asker, typed: Typed, error: ArenaError | None = None) -> HTMLResponse:
    return asker.form(
        "experiment_new.html",
        error,
        typed.faults(error) if error else (),
        typed=typed,
        usual_ms=experiment_forms.USUAL_MOVE_MS,
        labels=LABELS,
        choices=experiment_forms.CHOICES,
        admin=permissions.is_admin(asker.visitor),
        games=game_names(),
        players=sorted(strategies()),
    )
