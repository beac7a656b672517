"""Self-signed certificates for tests, made by the openssl command."""

import subprocess

KINDS = {"ecdsa": ["ec", "-pkeyopt", "ec_paramgen_curve:P-256"], "rsa": ["rsa:2048"]}


def make_certificate(folder, name, kind):
    """Writes NAME-KIND.pem and NAME-KIND.key for `localhost` and 127.0.0.1."""
    subprocess.run(
        ["openssl", "req", "-x509", "-nodes", "-days", "90", "-subj", f"/CN={name}", "-newkey", *KINDS[kind],
         "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1",
         "-keyout", folder / f"{name}-{kind}.key", "-out", folder / f"{name}-{kind}.pem"],
        check=True, capture_output=True)
