"""Style sheets, scripts and pictures, packed once for all who take them so."""

from __future__ import annotations

import os
from functools import lru_cache
from pathlib import Path

from fastapi.staticfiles import StaticFiles
from starlette.responses import Response
from starlette.staticfiles import NotModifiedResponse
from starlette.types import Scope

from arena.web.http import packing


class PackedFiles(StaticFiles):
    """The files of a folder, by gzip to whoever takes it."""

    def file_response(
        self,
        full_path: str | os.PathLike[str],
        stat_result: os.stat_result,
        scope: Scope,
        status_code: int = 200,
    ) -> Response:
        """The file, or that the reader has it."""
        response = super().file_response(full_path, stat_result, scope, status_code)
        plain = tuple(response.raw_headers)
        if not isinstance(response, NotModifiedResponse) and packing.is_taken(scope["headers"]):
            body = _packed(Path(full_path), stat_result.st_mtime_ns, plain)
            if body is not None:
                response = Response(body, status_code)
                plain = packing.headers(plain, len(body))
        response.raw_headers = list(packing.varied(plain))
        return response


@lru_cache
def _packed(path: Path, changed_ns: int, headers: packing.Headers) -> bytes | None:
    """A file by gzip; None where that is not worth it."""
    del changed_ns  # another file since then
    body = path.read_bytes()
    return packing.pack(body) if packing.is_worth_it(headers, body) else None
