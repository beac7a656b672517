"""Tokens for tests, made by an implementation that is not ours, and a server that wants them."""

import time

import jwt
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from server import ServerProcess

SECRET = "planted-secret-0815-not-to-be-seen-anywhere"


def claims(**changes):
    """A student's claims, good for ten minutes; None takes one away."""
    all = {"sub": "li", "role": "student", "exp": int(time.time()) + 600, **changes}
    return {name: value for name, value in all.items() if value is not None}


def mint(key=SECRET, algorithm="HS256", headers=None, **changes):
    return jwt.encode(claims(**changes), key, algorithm=algorithm, headers=headers)


def bearer(token):
    return {"additional_headers": {"Authorization": f"Bearer {token}"}}


class TokenServer(ServerProcess):
    """Wants tokens signed with SECRET, or with `key` under the name `school`."""

    def __init__(self, folder, **settings):
        self.key, self.key_file = Ed25519PrivateKey.generate(), folder / "school.pem"
        self.write_key(self.key)
        super().__init__(
            **{"CHALKLINE_TOKEN_SECRET": SECRET, "CHALKLINE_TOKEN_PUBLIC_KEYS": f"school={self.key_file}",
               "CHALKLINE_LOG_LEVEL": "trace", **settings})

    def write_key(self, key):
        self.key_file.write_bytes(
            key.public_key().public_bytes(
                serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo))

    def __exit__(self, *reason):
        super().__exit__(*reason)
        assert SECRET not in self.log
        # Every token begins with a JSON object in Base64.
        assert "eyJ" not in self.log, "a token is in the log"
