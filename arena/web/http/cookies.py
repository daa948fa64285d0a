"""Cookies that hold a secret, by which a browser is known again."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass

from fastapi import Request, Response


@dataclass(frozen=True)
class SecretCookie:
    """A cookie that no script reads and no other site sends along, kept for so long."""

    plain_name: str
    kept: dt.timedelta

    def name(self, request: Request) -> str:
        """What it is called; by https nobody else, also not of the same host by http, can set it."""
        return f"__Host-{self.plain_name}" if request.url.scheme == "https" else self.plain_name

    def shown(self, request: Request) -> str:
        """What the browser shows; empty where it shows nothing."""
        return request.cookies.get(self.name(request), "")

    def keep(self, request: Request, response: Response, secret: str) -> None:
        """Have the browser show it from now on."""
        response.set_cookie(
            self.name(request),
            secret,
            max_age=round(self.kept.total_seconds()),
            secure=request.url.scheme == "https",
            httponly=True,
            samesite="lax",
        )

    def forget(self, request: Request, response: Response) -> None:
        """Have the browser show it no more."""
        secure = request.url.scheme == "https"
        response.delete_cookie(self.name(request), secure=secure, httponly=True, samesite="lax")
