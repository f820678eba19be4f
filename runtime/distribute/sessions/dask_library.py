"""Import of Dask, the event loop of this process, and who may connect."""

from __future__ import annotations

import functools
import ipaddress
import logging
import socket
from typing import Any

from runtime.types.errors import PermissionDeniedError, UnavailableError


@functools.cache
def dask_distributed() -> Any:
    """Return the package ``distributed``; ImportError with a remedy where it is not installed."""
    try:
        import distributed
    except ImportError as error:
        raise ImportError(
            f"Sessions on a cluster need Dask ({error}): pip install 'pyautograph[dask]'"
        ) from None
    for name in [name for name in logging.Logger.manager.loggerDict if "distributed" in name]:
        logging.getLogger(name).setLevel(logging.CRITICAL)  # errors are raised where they matter
    return distributed


@functools.cache
def event_loop() -> Any:
    """Return the runner of the event loop on which this process talks to others."""
    runner = dask_distributed().utils.LoopRunner(asynchronous=False)
    runner.start()
    return runner


def security_for(host: str) -> Any:
    """Return Dask's security for an address: TLS where Dask's settings name the files.

    PermissionDeniedError for an address that other machines reach, without TLS.
    """
    security = dask_distributed().security.Security()
    if not is_encrypted(security) and not _is_loopback(host):
        raise PermissionDeniedError(
            f"Other machines reach {host!r}, and whoever connects could run code. Name the files "
            "of TLS in Dask's settings (distributed.comm.tls.ca-file, and cert and key of "
            "scheduler, worker and client), or use addresses such as localhost:2222"
        )
    return security


def is_encrypted(security: Any) -> bool:
    """Return whether both sides of a connection have to show a certificate."""
    return bool(security.tls_ca_file and security.tls_client_cert)


def address_of(host_and_port: str) -> str:
    """Return the address of ``host:port`` as Dask writes it."""
    host, _, port = host_and_port.rpartition(":")
    scheme = "tls" if is_encrypted(security_for(host)) else "tcp"
    return f"{scheme}://{_number_of(host)}:{port}"


def _number_of(host: str) -> str:
    """Return the number of a host; UnavailableError for an unknown name."""
    try:
        return str(socket.getaddrinfo(host.strip("[]"), None, type=socket.SOCK_STREAM)[0][4][0])
    except OSError as error:
        raise UnavailableError(f"There is no host {host!r}: {error}") from None


def _is_loopback(host: str) -> bool:
    return ipaddress.ip_address(_number_of(host).partition("%")[0]).is_loopback
