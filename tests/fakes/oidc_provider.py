"""A small OpenID provider on this machine: discovery, codes with PKCE, RS256 tokens, keys, user info, logout.

It asks for no password: its sign-in page has one link a person. Everything that a client must get right is checked, and
a client that does not is refused as a real provider refuses it.
"""

from __future__ import annotations

import json
import secrets
import threading
import time
from base64 import b64decode, urlsafe_b64encode
from dataclasses import dataclass, field
from hashlib import sha256
from html import escape
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, unquote, urlencode, urlsplit

from joserfc import jwt
from joserfc.jwk import RSAKey

CLIENT, SECRET = "citedesk", "a secret that only tests know"
LIFETIME = 3600
"""Seconds for which a token is good."""


@dataclass
class Grant:
    """What a code stands for, once."""

    subject: str
    redirect_uri: str
    challenge: str
    nonce: str


@dataclass
class Provider:
    """One provider with its people, by subject; a context manager that serves it."""

    people: dict[str, dict[str, Any]]
    age: int = 0
    """Seconds by which tokens are older than they are."""
    grants: dict[str, Grant] = field(default_factory=dict)
    tokens: dict[str, str] = field(default_factory=dict)
    refused: list[str] = field(default_factory=list)
    """Why clients were sent away."""
    ended: list[str] = field(default_factory=list)
    """Subjects that were signed out here."""
    key: RSAKey = field(default_factory=lambda: RSAKey.generate_key(2048, {"use": "sig", "alg": "RS256"}, private=True))

    def __enter__(self) -> Provider:
        """Listen on a free port."""
        self.key.ensure_kid()
        handler = type("Handler", (_Handler,), {"provider": self})
        self.server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        """Stop listening."""
        self.server.shutdown()
        self.server.server_close()

    @property
    def issuer(self) -> str:
        """Where it is, which is also its name."""
        return f"http://127.0.0.1:{self.server.server_address[1]}"

    def secrets(self, redirect_uri: str, cookie_secret: str = "c" * 40) -> str:
        """The sign-in file of a desk, as TOML."""
        values = {
            "redirect_uri": redirect_uri,
            "cookie_secret": cookie_secret,
            "client_id": CLIENT,
            "client_secret": SECRET,
            "server_metadata_url": f"{self.issuer}/.well-known/openid-configuration",
        }
        return "[auth]\n" + "".join(f"{name} = {json.dumps(value)}\n" for name, value in values.items())

    def metadata(self) -> dict[str, Any]:
        """What discovery says."""
        here = self.issuer
        return {
            "issuer": here,
            "authorization_endpoint": f"{here}/authorize",
            "token_endpoint": f"{here}/token",
            "userinfo_endpoint": f"{here}/userinfo",
            "jwks_uri": f"{here}/jwks",
            "end_session_endpoint": f"{here}/logout",
            "response_types_supported": ["code"],
            "subject_types_supported": ["public"],
            "id_token_signing_alg_values_supported": ["RS256"],
            "code_challenge_methods_supported": ["S256"],
            "token_endpoint_auth_methods_supported": ["client_secret_basic"],
            "scopes_supported": ["openid", "email", "profile"],
        }

    def id_token(self, subject: str, nonce: str) -> str:
        """What the provider vouches for, signed."""
        now = int(time.time())
        times = {"iat": now - self.age, "exp": now + LIFETIME}
        claims = {"iss": self.issuer, "aud": CLIENT, "sub": subject, "nonce": nonce, **times, **self.people[subject]}
        return jwt.encode({"alg": "RS256", "kid": self.key.kid}, claims, self.key)


class _Handler(BaseHTTPRequestHandler):
    provider: Provider

    def log_message(self, format: str, *args: object) -> None:
        """Keep quiet."""

    def do_GET(self) -> None:
        """Answer a browser, or a client that looks things up."""
        parts = urlsplit(self.path)
        asked = {name: values[0] for name, values in parse_qs(parts.query).items()}
        provider = self.provider
        if parts.path == "/.well-known/openid-configuration":
            self._json(provider.metadata())
        elif parts.path == "/jwks":
            self._json({"keys": [provider.key.as_dict(private=False)]})
        elif parts.path == "/authorize":
            self._choose(asked)
        elif parts.path == "/chosen":
            self._send_back(asked)
        elif parts.path == "/userinfo":
            subject = provider.tokens.get(self.headers.get("authorization", "").removeprefix("Bearer "))
            self._json({"sub": subject, **provider.people[subject]}) if subject else self._refuse("no token")
        elif parts.path == "/logout":
            self._end(asked)
        elif parts.path == "/favicon.ico":
            self._reply(200, "", "image/x-icon")
        else:
            self._refuse(f"nothing at {parts.path}", 404)

    def do_POST(self) -> None:
        """Change a code for tokens."""
        body = self.rfile.read(int(self.headers.get("content-length", 0))).decode()
        asked = {name: values[0] for name, values in parse_qs(body).items()}
        if urlsplit(self.path).path != "/token":
            return self._refuse(f"nothing at {self.path}", 404)
        kind, _, given = self.headers.get("authorization", "").partition(" ")
        if kind != "Basic" or unquote(b64decode(given).decode()) != f"{CLIENT}:{SECRET}":
            return self._refuse("wrong client secret", 401)
        grant = self.provider.grants.pop(asked.get("code", ""), None)
        if grant is None:
            return self._refuse("the code is unknown, or was used before")
        proof = urlsafe_b64encode(sha256(asked.get("code_verifier", "").encode()).digest()).decode().rstrip("=")
        if proof != grant.challenge or asked.get("redirect_uri") != grant.redirect_uri:
            return self._refuse("not who asked for the code")
        access = secrets.token_urlsafe(16)
        self.provider.tokens[access] = grant.subject
        token = self.provider.id_token(grant.subject, grant.nonce)
        self._json({"access_token": access, "token_type": "Bearer", "expires_in": LIFETIME, "id_token": token})
        return None

    def _choose(self, asked: dict[str, str]) -> None:
        """The sign-in page: a link a person."""
        wrong = [name for name in ("state", "nonce", "code_challenge", "redirect_uri") if not asked.get(name)]
        if wrong or asked.get("client_id") != CLIENT or asked.get("code_challenge_method") != "S256":
            return self._refuse(f"bad request for authorisation {wrong}")
        links = "".join(
            f'<p><a href="/chosen?{escape(urlencode({**asked, "sub": subject}))}">{escape(subject)}</a></p>'
            for subject in self.provider.people
        )
        self._reply(200, f"<!doctype html><title>Who are you?</title>{links}", "text/html")
        return None

    def _send_back(self, asked: dict[str, str]) -> None:
        code = secrets.token_urlsafe(16)
        place = asked["redirect_uri"]
        self.provider.grants[code] = Grant(asked["sub"], place, asked["code_challenge"], asked["nonce"])
        self._go(f"{place}?{urlencode({'code': code, 'state': asked['state']})}")

    def _end(self, asked: dict[str, str]) -> None:
        token = jwt.decode(asked["id_token_hint"], self.provider.key, algorithms=["RS256"])
        self.provider.ended.append(token.claims["sub"])
        self._go(asked["post_logout_redirect_uri"])

    def _go(self, place: str) -> None:
        self.send_response(302)
        self.send_header("location", place)
        self.send_header("content-length", "0")
        self.end_headers()

    def _refuse(self, why: str, status: int = 400) -> None:
        self.provider.refused.append(why)
        self._reply(status, json.dumps({"error": "invalid_request", "error_description": why}), "application/json")

    def _json(self, value: object) -> None:
        self._reply(200, json.dumps(value), "application/json")

    def _reply(self, status: int, text: str, kind: str) -> None:
        body = text.encode()
        self.send_response(status)
        self.send_header("content-type", f"{kind}; charset=utf-8")
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)
