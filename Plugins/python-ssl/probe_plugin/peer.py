"""The server at the other end of a socket, whichever library speaks with it: bytes, a deadline, and why there are none."""

import socket

# Far more than any handshake that ends needs.
_MAXIMAL_HANDSHAKE = 1024 * 1024


class Failure(Exception):
    """Why a handshake did not complete."""

    def __init__(self, code, message, native=None, alert=None):
        super().__init__(message)
        self.report = {"code": code, "message": message, "nativeCode": native, "alert": alert}


class Peer:
    """One TCP connection, which it owns."""

    def __init__(self, host, port, deadline):
        self._deadline = deadline
        self._begun = b""
        self._total = 0
        self._socket = _dial(host, port, deadline)

    @property
    def address(self):
        """Who was reached, with brackets around IPv6."""
        host, port = self._socket.getpeername()[:2]
        return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"

    def close(self):
        self._socket.close()

    def receive(self):
        """The next bytes of a handshake; never none."""
        piece = self._next()
        if not piece:
            raise Failure("connection-closed", "the peer closed the connection during the handshake")
        if len(self._begun) < 2:
            self._begun += piece[:40]
            if not 20 <= self._begun[0] <= 24 or len(self._begun) > 1 and self._begun[1] != 3:
                raise Failure("not-tls", f"the peer does not speak TLS: it sent {self._begun[:40]!r}")
        # OpenSSL skips HelloRequests, for one, for as long as they come.
        self._total += len(piece)
        if self._total > _MAXIMAL_HANDSHAKE:
            raise Failure(
                "protocol-error",
                f"the peer sent more than {_MAXIMAL_HANDSHAKE} bytes and did not complete the handshake",
            )
        return piece

    def _next(self):
        try:
            self._socket.settimeout(self._deadline.left)
            return self._socket.recv(65536)
        except TimeoutError as error:
            raise Failure("handshake-timeout", "the peer did not complete the handshake before the deadline") from error
        except ConnectionResetError as error:
            raise Failure("connection-reset", "the peer reset the connection", "ECONNRESET") from error
        except OSError as error:
            raise Failure("connection-closed", f"the connection broke: {error.strerror}") from error

    def send(self, data):
        """Sends bytes; reading reports a peer that is gone."""
        try:
            if data:
                self._socket.settimeout(self._deadline.left)
                self._socket.sendall(data)
        except TimeoutError as error:
            raise Failure("handshake-timeout", "the peer stopped reading before the deadline") from error
        except OSError:
            pass


def _dial(host, port, deadline):
    try:
        return socket.create_connection((host, port), timeout=deadline.left)
    except socket.gaierror as error:
        absent = error.errno in (socket.EAI_NONAME, socket.EAI_NODATA)
        code = "name-not-found" if absent else "name-lookup-failed"
        raise Failure(code, f"'{host}' can't be looked up: {error.strerror}", str(error.errno)) from error
    except TimeoutError as error:
        raise Failure("connect-timeout", "the deadline passed before there was a connection") from error
    except ConnectionRefusedError as error:
        raise Failure("connection-refused", "nothing listens on the port", "ECONNREFUSED") from error
    except OSError as error:
        raise Failure("network-unreachable", f"there is no way to the address: {error.strerror}") from error
