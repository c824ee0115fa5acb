"""What pages say when they are a door, or when there is none: words and places, in the languages seen most."""

from __future__ import annotations

import re


def _any(*patterns: str) -> re.Pattern[str]:
    return re.compile("|".join(patterns), re.I)


BOT = _any(
    "just a moment",
    "attention required",
    "checking (?:if the site|your browser)",
    "verify(?:ing)? (?:that )?you are (?:a )?human",
    "are you a (?:robot|human)",
    "not a robot",
    "pardon our interruption",
    "ddos protection",
    "security check(?:point)?",
    "access (?:to this page has been )?denied",
    "request (?:has been )?blocked",
    "unusual traffic",
    "enable javascript and cookies",
    "prove (?:that )?you(?:'|’)?re human",
    "complete the captcha",
    "client challenge",
    "bot (?:verification|detection)",
)
"""A test for robots."""

CONSENT = _any(
    "your privacy choices",
    "before you continue",
    "we value your privacy",
    "cookie (?:consent|settings|preferences)",
    "(?:accept|agree to|allow) (?:all |the use of )?cookies",
    "consent to (?:the use|our)",
    "manage (?:your )?(?:consent|cookies)",
    "datenschutz-?einstellungen",
    "cookies? (?:akzeptieren|zustimmen)",
    "accepter (?:et|les cookies)",
    "aceptar (?:las )?cookies",
)
"""A form for consent."""
CONSENT_PLACE = _any(r"(?:^|[./_-])(?:consent|gdpr|cmp|cookie-?(?:wall|consent)?s?|privacy-?(?:gate|wall))(?:[./_-]|$)")

LOGIN = _any(
    r"^(?:please )?(?:log ?in|sign ?in|anmelden|einloggen|connexion|iniciar sesi[oó]n|authentication required)\b"
)
"""The name of a page to sign in."""
LOGIN_PLACE = _any(
    "/(?:log-?in|sign-?in|signon|sso|cas|saml2?|oauth2?|authenticate|authorize|accounts?/login|idp|shibboleth|openid)"
    "(?:[/.?]|$)"
)
PASSWORD = _any(r"<input[^>]+type\s*=\s*[\"']?password")

WALL = _any(
    "subscribe (?:now )?to (?:read|continue|unlock|access|keep)",
    "subscribers? only",
    "for subscribers",
    "subscriber[- ]exclusive",
    "(?:to|and) (?:continue|keep) reading",
    r"(?:log|sign) ?in (?:or \w+ )?to (?:read|continue|view|access)",
    "(?:rest|remainder) of (?:this|the) (?:article|story|text|page|paper)",
    "remaining (?:text|article|part)",
    "members? (?:only|can (?:read|see)|see the|get (?:full )?access)",
    "become a (?:member|subscriber)",
    "already a subscriber",
    "(?:purchase|buy|rent|get) (?:full |instant )?access",
    "access through your institution",
    "unlock (?:this|the) (?:article|story)",
    "reached your (?:monthly )?(?:limit|allowance)",
    "free articles? (?:left|remaining|this month)",
    "start your (?:free )?trial",
    "weiterlesen mit",
    "jetzt abonnieren",
    "nur für (?:abonnenten|mitglieder)",
    "réservée?s? aux? (?:abonnés|membres)",
    "pour lire la suite",
    "solo para suscriptores",
    "contenido exclusivo",
    "riservat[oa] agli abbonati",
    "会員限定",
    "仅限会员",
    "付费阅读",
)
"""The text goes on behind a wall."""
WALL_SHAPE = _any(r"(?:class|id)\s*=\s*[\"'][^\"']*\b(?:paywall|regwall|piano-|tp-modal|subscription-wall|metered)")

_THING = "(?:page|article|file|document|content|resource|url|link)"
ABSENT = _any(
    rf"{_THING} (?:you (?:requested|are looking for) )?(?:was |is |has been |could )?(?:not |no longer )(?:be )?"
    "(?:found|available|here|exist)",
    rf"{_THING} (?:has been|was) (?:removed|deleted)",
    r"^\s*(?:error )?404\b",
    r"\b404 (?:error|not found|page)",
    r"^\s*(?:page |error:? )?not found\b",
    f"{_THING} (?:doesn(?:'|’)t|does not) exist",
    f"(?:couldn(?:'|’)t|cannot|can(?:'|’)t) find (?:that|this|the) {_THING}",
    "page missing",
    "domain (?:is |may be )?for sale",
    "buy this domain",
    "seite (?:wurde )?nicht gefunden",
    "page (?:introuvable|non trouvée)",
    "página no encontrada",
    "pagina non trovata",
    "ページが見つかりません",
    "页面不存在",
)
"""There is no such page; in a title, a heading, or all that a page says."""

SCRIPT = _any(r"<script\b")
NEEDS_SCRIPTS = _any(
    "enable javascript", "requires javascript", "javascript (?:is )?(?:disabled|required)", "activate javascript"
)
