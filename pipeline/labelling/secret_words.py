"""Words that announce a credential, in many languages, and names that only look like one. Data."""

import re


def _words(line: str) -> frozenset[str]:
    return frozenset(line.split())


STEMS = (
    # en, and what is written in English everywhere
    r"passw passcode passphrase pwd tokens?\b credential login bearer secrets?\b",
    r"api[\s_-]?key access[\s_-]?key",
    # de nl sv no da fi
    "kennwort zugangsdaten wachtwoord lösenord passord adgangskode kodeord salasana",
    # fr es pt it ro
    r"mot\s+de\s+passe mdp jeton identifiant contraseñ clave senha credenci parol",
    # pl cs sk hu el tr
    "hasł hasel heslo hesl jelsz κωδικ şifre sifre",
    # ru uk bg sr
    "парол логин токен лозинк",
    # ar he fa ur
    "السر المرور الرمز סיסמ رمز گذرواژه توکن",
    # hi bn ta
    "पासवर्ड পাসওয়ার্ড கடவுச்சொல்",
    # vi id
    r"mật\s+khẩu sandi",
)
"""Stems: the endings of a word do not matter."""

NUMBERS = r"\bpin \botp \bpincode 暗証番号"
"""Words that announce a secret of digits only."""

UNSPACED = "密码 密碼 口令 令牌 密钥 密鑰 金鑰 パスワード トークン 비밀번호 암호 토큰 รหัสผ่าน"
"""Words of scripts that leave no space around them."""

STRONG_PREFIXES = _words("sk pk rk tok ghp gho ghs glpat hf npm pypi xoxb xoxp shpat")
"""What keys begin with, and hardly any word does."""

WEAK_PREFIXES = _words(
    "key token secret api apikey auth bearer pass pwd session access refresh live client"
)
"""What keys begin with, and names of other things too."""

TECHNICAL = re.compile(
    r"(?:oauth|sha|md|base|utf|http|ipv|x|s|ec|k|i|web|h|mp|python|py|php|java|ed|rsa|aes|hs|rs|es"
    r"|argon|pkcs|p|tls|ssl|rfc|iso|win|node|vue|log|auth|fido|webauthn|e|ps|ws|db)-?\d{1,5}\w?",
    re.IGNORECASE,
)
"""Names that hold a number and are no password: `oauth2`, `sha256`, `python3`."""


COMMIT = re.compile(r"(?:commit|sha|rev|revision|hash|digest|@)\w*[:=]?", re.IGNORECASE)
"""Words right before a hexadecimal number that is no secret."""


def announcing() -> re.Pattern[str]:
    """A pattern for every word that announces a credential."""
    stems = "|".join(stem for line in STEMS for stem in line.split())
    return re.compile(
        rf"(?<!\w)(?P<stem>{stems})\w*|{_any(UNSPACED)}|(?P<number>{_any(NUMBERS)})(?!\w)",
        re.IGNORECASE,
    )


def _any(words: str) -> str:
    return "|".join(words.split())
