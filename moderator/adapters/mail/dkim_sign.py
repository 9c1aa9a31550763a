"""DKIM signatures (RFC 6376) that the service makes itself if no mail server makes them.

dkimpy makes the text that is signed, and OpenSSL signs it: in Python alone RSA takes more than half of the time that a
mail takes to be sent.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final, NamedTuple

import dkim
from cryptography.hazmat.primitives.asymmetric.padding import PKCS1v15
from cryptography.hazmat.primitives.asymmetric.rsa import RSAPrivateKey
from cryptography.hazmat.primitives.asymmetric.utils import Prehashed
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import load_pem_private_key

from moderator.adapters.mail.message import build
from moderator.domain.ports import Outgoing
from moderator.input_limits import LARGEST_SECRET, UnusableError, read_bytes

_SIGNED: Final = (
    b"From", b"To", b"Reply-To", b"Subject", b"Date", b"Message-ID", b"In-Reply-To", b"References", b"Auto-Submitted",
    b"List-Id", b"List-Unsubscribe", b"List-Unsubscribe-Post", b"MIME-Version", b"Content-Type",
    b"Content-Transfer-Encoding",
)  # fmt: skip
"""Headers that are signed if they are present. RFC 8058 4: a one-click address counts only if both of its headers are
signed."""
_ONCE: Final = frozenset(
    {b"From", b"To", b"Reply-To", b"Subject", b"Date", b"Message-ID", b"List-Unsubscribe", b"Content-Type"}
)
"""Headers that are signed once more than they are present (RFC 6376 8.15). So nobody who has a mail can add another
such header and send it on under our signature."""


_LEAST: Final = 1024


class BadKey(OSError):
    """The key file holds no key that can sign."""


class _Signed(NamedTuple):
    signature: bytes


class _Key:
    """An RSA key in the form in which dkimpy takes keys of Ed25519: it signs a digest."""

    def __init__(self, pem: bytes) -> None:
        key = load_pem_private_key(pem, None)
        if not isinstance(key, RSAPrivateKey):
            raise TypeError("no RSA key")
        if key.key_size < _LEAST:
            raise ValueError(
                f"a key of {key.key_size} bits; receivers refuse those of fewer than {_LEAST} (RFC 8301 3.2)"
            )
        self._key = key

    def sign(self, digest: bytes) -> _Signed:
        """RSASSA-PKCS1-v1_5 (RFC 8017 8.2.1) of a SHA-256 digest, which is ``rsa-sha256`` of RFC 6376."""
        return _Signed(self._key.sign(digest, PKCS1v15(), Prehashed(SHA256())))


class _ByOpenSSL(dkim.DKIM):  # type: ignore[misc]
    """A signer that leaves RSA to OpenSSL. Everything else is dkimpy's."""

    def __init__(self, content: bytes, key: _Key) -> None:
        super().__init__(content)
        self._key = key

    def gen_header(
        self, fields: Any, include_headers: Any, canon_policy: Any, header_name: Any, pk: object,
        standardize: Any = False,
    ) -> bytes:  # fmt: skip
        """The header for ``fields``, which name ``rsa-sha256`` already. From here on, dkimpy uses the algorithm only to
        choose who signs."""
        self.signature_algorithm = b"ed25519-sha256"
        header: bytes = super().gen_header(fields, include_headers, canon_policy, header_name, self._key, standardize)
        return header


class SignedForm:
    """Makes the bytes of a mail with a signature on top. Raises ``BadKey`` or another ``OSError`` if the key cannot be
    used."""

    def __init__(self, selector: str, domain: str, key_file: Path) -> None:
        self._selector, self._domain = selector.encode(), domain.encode()
        try:
            self._key = read_bytes(key_file, LARGEST_SECRET)
        except UnusableError as error:
            raise BadKey(f"{key_file}: {error}") from error
        try:
            self._signer = _Key(self._key)
            self._sign(b"From: a@b.example\r\n\r\n")
        except Exception as error:  # the library raises many kinds of errors
            raise BadKey(f"{key_file}: {type(error).__name__}: {error}") from error

    def __call__(self, mail: Outgoing) -> bytes:
        content = build(mail)
        return self._sign(content) + content

    def _sign(self, content: bytes) -> bytes:
        there = {line.split(b":")[0].lower() for line in content.split(b"\r\n\r\n")[0].split(b"\r\n")}
        signature: bytes = _ByOpenSSL(content, self._signer).sign(
            self._selector, self._domain, self._key, canonicalize=(b"relaxed", b"relaxed"),
            include_headers=[name for name in _SIGNED if name.lower() in there] + sorted(_ONCE),
        )  # fmt: skip
        return signature
