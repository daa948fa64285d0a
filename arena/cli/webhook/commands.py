"""`arena webhook`: the staff has addresses told of events."""

from __future__ import annotations

from itertools import islice
from typing import Annotated

import typer

from arena.cli.shared.asking import Yes, ask_first
from arena.cli.shared.commands import Commands
from arena.cli.shared.connection import connect_with_token
from arena.cli.shared.options import AsJson
from arena.cli.shared.output import note, print_json, print_line, print_table
from arena.core.words import say
from arena.schemas.webhooks import DeliveryOut, WebhookOut

app = Commands()

Number = Annotated[int, typer.Argument(help="The webhook's number, as `arena webhook list` shows it.")]


@app.command()
def create(
    url: Annotated[str, typer.Argument(help="Where to POST; http or https.")],
    kinds: Annotated[
        list[str], typer.Option("--kind", help="A kind of events, or a family as 'match.*'; repeatable.")
    ],
    tournament: Annotated[str | None, typer.Option(help="Only events of this tournament.")] = None,
    as_json: AsJson = False,
) -> None:
    """Have an address told of what happens from now on; prints the secret, which is shown this once."""
    with connect_with_token() as client:
        made = client.create_webhook(url, kinds, tournament)
    if as_json:
        print_json({"number": made.webhook.number, "url": made.webhook.url, "secret": made.secret})
    else:
        note(
            say(
                "webhook {number}; what its messages are signed with is shown only now:",
                number=made.webhook.number,
            )
        )
        print_line(made.secret)


@app.command("list")
def list_(as_json: AsJson = False) -> None:
    """List the webhooks and how they do."""
    with connect_with_token() as client:
        found = list(client.webhooks())
    if as_json:
        print_json({"webhooks": found})
    else:
        columns = (">Number", "URL", "Events", "Tournament", "State", ">Waiting", ">Failed", "Trouble")
        print_table(columns, map(_row, found))


@app.command()
def stop(number: Number, as_json: AsJson = False) -> None:
    """Send nothing until it is started again."""
    _change(number, "stop", as_json=as_json)


@app.command()
def start(number: Number, as_json: AsJson = False) -> None:
    """Send again: what waited when it was stopped, and what happens from now on."""
    _change(number, "start", as_json=as_json)


@app.command()
def remove(number: Number, yes: Yes = False, as_json: AsJson = False) -> None:
    """Tell an address nothing any more, and forget what it was told."""
    ask_first(
        say("Webhook {number} is removed with its secret and all that it was told.", number=number), yes=yes
    )
    with connect_with_token() as client:
        removed = client.remove_webhook(number)
    print_json(removed) if as_json else print_line(say("webhook {number} is removed", number=removed.number))


@app.command()
def deliveries(
    number: Number,
    state: Annotated[str | None, typer.Option(help="Only those `waiting`, `delivered` or `failed`.")] = None,
    limit: Annotated[int, typer.Option(min=1, help="How many to show.")] = 50,
    as_json: AsJson = False,
) -> None:
    """Show what a webhook is or was told, newest first."""
    with connect_with_token() as client:
        found = list(islice(client.deliveries(number, state), limit))
    if as_json:
        print_json({"deliveries": found})
    else:
        columns = (">Number", ">Event", "Kind", "State", ">Attempts", "Next", ">Status", "Trouble")
        print_table(columns, map(_delivery_row, found))


@app.command()
def retry(
    number: Number,
    delivery: Annotated[int, typer.Argument(help="The delivery's number, as `deliveries` shows it.")],
    as_json: AsJson = False,
) -> None:
    """Have a delivery that was given up tried anew."""
    with connect_with_token() as client:
        tried = client.retry_delivery(number, delivery)
    print_json(tried) if as_json else print_line(
        say("delivery {number} is {state}", number=tried.number, state=tried.state)
    )


def _change(number: int, action: str, *, as_json: bool) -> None:
    with connect_with_token() as client:
        changed = client.change_webhook(number, action)
    print_json(changed) if as_json else print_line(
        say("webhook {number} is {state}", number=changed.number, state=changed.state)
    )


def _row(webhook: WebhookOut) -> tuple[object, ...]:
    kinds = ", ".join(webhook.kinds)
    told = webhook.number, webhook.url, kinds, webhook.tournament or "", webhook.state
    return *told, webhook.waiting, webhook.failed, webhook.trouble or ""


def _delivery_row(delivery: DeliveryOut) -> tuple[object, ...]:
    upcoming = delivery.next_at.astimezone().strftime("%d %b %H:%M:%S") if delivery.next_at else ""
    told = delivery.number, delivery.event, delivery.kind, delivery.state, delivery.attempts
    return *told, upcoming, delivery.status or "", delivery.trouble or ""
