"""The certificate of the arena's own authority (CA), for devices that are to trust it."""

from __future__ import annotations

from fastapi import APIRouter
from fastapi.responses import FileResponse

from arena.core.certificates import Certificates
from arena.core.errors import NotFoundError
from arena.core.folder import DataFolder
from arena.web.http.dependencies import InServices
from arena.web.http.https_only import CA_PATH

router = APIRouter()


@router.get(CA_PATH)
def ca_certificate(services: InServices) -> FileResponse:
    """The CA's certificate, in the form that browsers and devices take in.

    Raises:
        NotFoundError: the arena was not started with https.
    """
    file = Certificates(DataFolder(services.settings.data_dir).certificates).ca
    if not file.is_file():
        raise NotFoundError("this arena has no certificate of its own; `arena up --https` makes one")
    return FileResponse(file, media_type="application/x-x509-ca-cert", filename="arena-ca.crt")
