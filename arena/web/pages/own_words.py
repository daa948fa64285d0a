"""The words of a team's own pages: what was wrong with what was handed in, and what can be done about it."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

from arena.core.diagnosis import missing_module, was_busy, was_silent
from arena.core.errors import ArenaError, ConflictError, ForbiddenError, TooManyError, UnavailableError
from arena.core.games import UploadError
from arena.core.terms import Handed, Obstacle, Outcome, QuestionState, Unplayed
from arena.store.models.event_types import EventKind
from arena.submissions.bulk import PartOutcome
from arena.submissions.quotas import FullQuotaError
from arena.web.pages import wording
from arena.web.pages.wording import N_
from engines.games import all_games, find_game, find_presentation
from engines.plugin import GamePlugin
from engines.presentation import Words
from workers.checks.contract import BUILD, Step
from workers.core.contract import FaultCode, Forfeit
from workers.core.errors import Flaw

FLAWS = {
    Flaw.EMPTY: N_("Nothing was sent. Choose one source file, several files, a folder, or a zip of them."),
    Flaw.TOO_LARGE: N_(
        "That is too much: at most %(most)s MB as it is sent, 32 MB unpacked, and 500 files. Leave out "
        "what the bot does not need to play, such as records, pictures and compiled files."
    ),
    Flaw.UNKNOWN: N_(
        "This is neither a zip nor a source file of a language that is known here. Send a file that ends in "
        "%(endings)s, or a zip with one in it."
    ),
    Flaw.NO_MAIN: N_(
        "No file at the top says where the bot begins. Call the file that starts it main.py, main.c, "
        "main.cpp, Main.java, main.js, main.ts, main.rs, main.go or Main.cs, and put it into no folder "
        "within the folder."
    ),
    Flaw.SEVERAL_MAINS: N_(
        "Several files could each be the beginning of the bot. Send only those of one language, or say in a "
        'file bot.toml which it is: language = "python".'
    ),
    Flaw.NAME: N_(
        "A file has a name that cannot be taken, or two have the same. Give them plain names, without “:” "
        "and without “..”, and send each once."
    ),
    Flaw.ZIP: N_(
        "The zip cannot be read, or holds what is not taken: links, or files with a password. Make it anew "
        "in the usual way (Windows: right click, “Compress to ZIP file”), or send the files themselves."
    ),
    Flaw.NO_TEXT: N_("The file is not Python source. Save it as plain text in UTF-8 and send it again."),
    Flaw.PROGRAM: N_(
        "The program “bot” cannot run here: it has to be a 64-bit Linux program, linked with -static. Send "
        "its source instead, and it is built here."
    ),
    Flaw.MANIFEST: N_(
        "The file bot.toml says something that does not fit. Mend it as it says below, or leave it out: "
        "mostly the names of the files say enough."
    ),
    Flaw.GAME: N_("There is no such game here. Choose from the list, and mend bot.toml if it names games."),
}
BATCH_FLAWS: dict[Flaw | None, str] = {
    Flaw.EMPTY: N_(
        "Nothing was sent in which a bot could be. Choose a zip or a folder with the bots of the class."
    ),
    Flaw.TOO_LARGE: N_(
        "That is too much at once: at most %(most)s MB, %(parts)s teams and 5000 files. Send it in several "
        "parts; what was handed in already is not handed in again."
    ),
    Flaw.NAME: N_("Two of the files have the same name. Send each once."),
    None: N_("This zip cannot be read. Make it anew in the usual way, or send the folder."),
}
"""What is wrong with an upload as a whole."""
HANDED = {
    Handed.NEW_BOT: N_("new bot"),
    Handed.NEW_VERSION: N_("new version"),
    Handed.SAME: N_("there already, unchanged"),
    Handed.UNMATCHED: N_("whose it is is not known"),
    Handed.LEFT_OUT: N_("left out"),
    Handed.TWICE: N_("the team is there more than once"),
    Handed.FAULTY: N_("cannot be handed in"),
    Handed.REFUSED: N_("was refused"),
}
OUTCOMES = {
    Outcome.WON: N_("Won"),
    Outcome.DRAWN: N_("Drawn"),
    Outcome.LOST: N_("Lost"),
    Outcome.FORFEIT: N_("Lost by forfeit"),
}
LETTERS = {
    Outcome.WON: N_("W"),
    Outcome.DRAWN: N_("D"),
    Outcome.LOST: N_("L"),
    Outcome.FORFEIT: N_("F"),
}
OBSTACLES = {
    Obstacle.ENTERED: N_("It takes part."),
    Obstacle.LEFT: N_("It has left and cannot come back."),
    Obstacle.NO_VERSION: N_("Nothing was handed in for it yet."),
    Obstacle.CHECKING: N_("It is being checked; it can be entered once it has passed."),
    Obstacle.FAILED: N_("It failed its check. Read why, mend it, and hand it in again."),
    Obstacle.UNCHECKED: N_("It could not be checked, through no fault of its own. Have it checked again."),
    Obstacle.OTHER_GAME: N_("It was checked in other games only. Have it checked in this one, too."),
}
HAPPENED = {
    EventKind.TOURNAMENT_OPEN: N_("entries are open"),
    EventKind.TOURNAMENT_RUNNING: N_("it has begun"),
    EventKind.TOURNAMENT_FINISHED: N_("it is over"),
    EventKind.TOURNAMENT_CANCELLED: N_("it was cancelled"),
    EventKind.TOURNAMENT_FROZEN: N_("new results are hidden until the reveal"),
    EventKind.TOURNAMENT_REVEALED: N_("all results are revealed"),
}
QUESTION_STATES = {
    QuestionState.OPEN: N_("Open"),
    QuestionState.ANSWERED: N_("Answered"),
    QuestionState.CLOSED: N_("Closed"),
}
UNPLAYED = {
    Unplayed.LOST: N_("Not played: the workers that had it were lost too often. Ask for another one."),
    Unplayed.OVERDUE: N_("Not played to its end: it was not over in half an hour."),
    Unplayed.CANCELLED: N_("Called off"),
    Unplayed.CONSENT: N_("Called off: the opponent's owner takes no scrimmages any more."),
    Unplayed.CLASS: N_("Called off: the class has no scrimmages any more."),
}
SCRIMMAGE_FAULTS = {
    403: N_("Your team may not play this. Choose your own bot, and a tournament that is for your class."),
    404: N_("There is no such bot, version or tournament for your team. Choose from the lists."),
    409: N_(
        "This cannot be played now: a version has not passed its check in this game or would play itself, "
        "too many scrimmages of yours are not over, or your class has none at the moment."
    ),
    422: N_("This cannot be played so. Choose an opponent that plays this game, or another game."),
    429: N_("Your team has asked for as many games as it may. Below stands how many are left, and when."),
}
PLAY_FAULTS = {
    403: N_("This game is somebody else's, or bots play against nobody here. Begin a game of your own."),
    404: N_("There is no such bot that you may play against. Choose one from the list."),
    409: N_("This cannot be done where the game stands now. Look at the board again."),
    422: N_("This cannot be played so."),
    429: N_("Bots have played as many turns against you as they do in a day. Two people can still play."),
}
EXPERIMENT_FAULTS = {
    403: N_("This is for administrators, or for another team. Take players by name, or your own bots."),
    404: N_("There is no such bot here. Write bot:NAME as the list of bots has it."),
    409: N_(
        "This cannot be done now: it is over, the name is taken, a bot has not passed its check in this "
        "game, or your team has asked for as much as it may."
    ),
    422: N_("This cannot be played so. What is wrong stands below."),
}
STEPS = {
    Step.BUILD: N_("Build"),
    Step.HANDSHAKE: N_("Handshake"),
    Step.POSITIONS: N_("Moves in four positions"),
    Step.RANDOM: N_("Two games against random play"),
    Step.SELF_PLAY: N_("A game against itself"),
}
CHECK_ADVICE: dict[str, str] = {
    BUILD: N_(
        "It does not build here. What the compiler said is below; mend the first error that it names. "
        "Nothing can be fetched from the network while it builds."
    ),
    FaultCode.TIMEOUT: N_(
        "It gave no answer in time. Does it write a line for each request, and flush it (in Python: "
        "print(..., flush=True))?"
    ),
    FaultCode.CRASH: N_(
        "It ended before the game was over. The last lines that it wrote to stderr, below, mostly say where."
    ),
    FaultCode.ILLEGAL_MOVE: N_(
        "It answered with a move that is not allowed there. The request below lists the moves that are."
    ),
    FaultCode.MALFORMED: N_(
        "Its answer could not be read. An answer is one line of JSON and nothing else; print what helps "
        "you to stderr."
    ),
    FaultCode.OVERSIZE: N_(
        "It wrote far too much. Write to stdout only the answer, one line for each request."
    ),
    FaultCode.PROTOCOL_ERROR: N_(
        "It answered when nobody had asked, or something else than was asked. Answer each request once, with "
        "its id."
    ),
    FaultCode.RESOURCE: N_("It used more memory, processes or files than allowed. Let it hold less at once."),
    FaultCode.STARTUP: N_(
        "It did not say that it is ready. It has to answer “hello” with “ready” within some seconds; a "
        "module that is missing here also ends it at once."
    ),
}

MISSING_MODULE = N_(
    "It wanted the module “%(module)s”, which is not there. A bot has Python's standard library, and what it "
    "brings in its zip."
)
SILENT = N_("Nothing came from it: perhaps its answer is still in its own buffer.")
BUSY = N_("It computed all the time: let it look at “time” in the request, and answer before that is over.")


def advice(fault: Forfeit, stderr: str) -> tuple[str, dict[str, str]] | None:
    """What the evidence of a fault points to besides, and what goes into the message."""
    if module := missing_module(stderr):
        return MISSING_MODULE, {"module": module}
    code, detail, received = fault.code, fault.detail, fault.received
    if was_silent(code, detail, clock=fault.clock_ns, cpu=fault.cpu_ns, received=received):
        return SILENT, {}
    if was_busy(code, clock=fault.clock_ns, cpu=fault.cpu_ns):
        return BUSY, {}
    return None


def part_fault(line: PartOutcome) -> str:
    """What is to be done about a part of an upload with the bots of a class; nothing where all is well."""
    if line.flaw is not None:
        return FLAWS[line.flaw]
    if line.state is Handed.UNMATCHED:
        return N_("Choose its team. To leave it out, choose nobody.")
    if line.state is Handed.TWICE:
        return N_("Choose nobody for all but one of them.")
    if line.state is Handed.REFUSED:
        return N_("A bot of this name cannot be made for the team. Let it say another name in bot.toml.")
    return ""


def upload_fault(error: ArenaError) -> str:
    """The message for whoever handed something in that was refused."""
    if isinstance(error, UploadError):
        return FLAWS[error.flaw]
    if isinstance(error, ForbiddenError):
        return N_("A bot of this name belongs to another team. Choose another name.")
    if isinstance(error, FullQuotaError | TooManyError):
        return N_("Your team has as much here as it may have for now; what follows says what to do.")
    if isinstance(error, ConflictError):
        return N_("This name looks like another bot's. Choose one that nobody takes for it.")
    if isinstance(error, UnavailableError):
        return N_(
            "Nothing can be kept at the moment. Nothing is lost: send it again in a minute, or tell the "
            "staff."
        )
    return N_(
        "A bot's name has 1 to 60 letters, digits, “_”, “-” or “.”, begins with a letter or digit, and is "
        "not “new”."
    )


def scrimmage_fault(status: int) -> str:
    """What to do where a scrimmage was refused with this HTTP status."""
    return SCRIMMAGE_FAULTS.get(status) or wording.advice(status)


def play_fault(status: int) -> str:
    """What to do where something in a game was refused with this HTTP status."""
    return PLAY_FAULTS.get(status) or wording.advice(status)


def experiment_fault(status: int) -> str:
    """What to do where an experiment or a sweep was refused with this HTTP status."""
    return EXPERIMENT_FAULTS.get(status) or wording.advice(status)


@cache
def game_names() -> dict[str, Words]:
    """What the games are called that a bot can be checked in, by their names."""
    return games_with(lambda _: True)


def games_with(fit: Callable[[GamePlugin], bool]) -> dict[str, Words]:
    """What the games are called whose row is fit, by their names."""
    fits = [name for name, row in all_games().items() if fit(row)]
    return {name: find_presentation(name).title(find_game(name).params) for name in fits}
