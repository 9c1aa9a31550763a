"""Words of a mail's writer that turn its orders into a trial, although they are no word for the moderator.

Moves cannot be taken back. So orders below a question, or below words that forbid or ask, are only tried out. So are
orders above words that take them back or go on; and ``check`` counts as such when something is glued to it. A wrong
guess costs a second mail, a missed one the game.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final, Literal

from grammar.normalise import normalise

Why = Literal["check", "question", "forbids", "goes_on"]

FORBIDS: Final[Mapping[str, tuple[str, ...]]] = {
    "en": (
        "not yet", "do not", "don't", "dont", "dry run", "dry-run", "test", "tests", "testing", "trial",
        "trials", "draft", "drafts", "proposal", "proposals", "proposed", "not final", "not real", "no action",
        "what if", "what would happen", "only asking", "just asking", "only a question", "just a question",
        "hypothetical", "hypothetically", "simulate", "simulation", "preview", "rehearsal", "practice",
        "ignore this", "ignore these", "hold off", "hold on", "please wait", "never mind", "nevermind",
        "for discussion", "thinking of", "thinking about", "considering", "just looking", "only looking",
        "sandbox", "not to be carried out", "not an order", "no order", "not orders", "no orders", "undecided",
        "tentative", "tentatively", "provisional", "would be legal", "would this", "would these", "is this",
        "are these", "is it legal", "verify", "validate", "just checking", "only checking", "checking only",
        "can i", "could i", "may i", "should i", "shall i", "am i allowed", "are we allowed", "i wonder",
        "wondering", "tell me what", "tell me if", "tell me whether", "let me know if", "let me know whether",
        "what happens if", "what happens when", "would that", "would it", "wip", "work in progress",
        "just an idea", "only an idea", "an idea", "example", "for example", "subject to change",
        "to be confirmed", "to be discussed", "tbc", "tbd", "cancel this", "cancel these", "hold this",
        "hold these", "hold it", "not for real", "nothing binding", "non-binding", "not binding", "unconfirmed",
        "no moves", "for later", "my plan", "our plan", "disregard", "please ignore",
        "without carrying out", "without playing",
        "never carry out", "must not", "should not", "shouldn't", "cannot decide", "not decided", "not sure",
        "is it legal", "is it allowed", "is it ok", "is it okay", "is it possible", "is it fine", "is it valid",
        "is that legal", "is that allowed", "is that ok", "is that okay", "is that possible", "is that fine",
        "is that valid",
    ),
    "de": (
        "bitte nicht", "noch nicht", "nicht ausführen", "nicht ausfuehren", "nicht durchführen", "nicht werten",
        "nicht spielen", "nicht übernehmen", "nicht verbindlich", "nur prüfen", "nur pruefen", "bitte prüfen",
        "prüfen", "pruefen", "probe", "probeweise", "probelauf", "zur probe", "test", "testweise",
        "nur ein test", "entwurf", "vorschlag", "was wäre wenn", "was waere wenn", "wäre das", "waere das",
        "ist das", "unverbindlich", "vorläufig", "nur eine frage", "nur frage", "keine aktion", "bitte warten",
        "trocken", "darf ich", "kann ich", "könnte ich", "koennte ich", "soll ich", "geht das", "ginge das",
        "was passiert", "was geschähe", "nicht buchen", "nicht ziehen", "nichts tun", "nichts ausführen",
        "beispiel", "zum beispiel", "wäre es",
    ),
    "fr": (
        "ne pas", "n'exécute pas", "n'executez pas", "pas encore", "essai", "à l'essai", "test", "brouillon",
        "proposition", "vérifier", "verifier", "vérification", "juste une question", "est-ce", "provisoire",
        "seulement pour voir", "pour voir", "simulation", "hypothèse", "puis-je", "peut-on", "est-ce que",
        "c'est légal", "c'est possible", "serait-ce", "ne rien faire", "ne fais rien", "à ne pas", "n'exécutez",
        "exemple", "que se passe", "pas tout de suite",
    ),
    "es": (
        "no ejecutar", "no ejecutes", "todavía no", "todavia no", "aún no", "aun no", "prueba", "solo prueba",
        "borrador", "propuesta", "comprobar", "verificar", "solo pregunto", "provisional", "simulación",
        "simulacion", "es legal", "sería legal", "puedo", "podría", "se puede", "es posible", "qué pasa",
        "que pasa", "no hacer nada", "no hagas", "ejemplo", "aún sin",
    ),
    "it": (
        "non eseguire", "non ancora", "prova", "solo prova", "bozza", "proposta", "verifica", "verificare",
        "controllare", "solo una domanda", "provvisorio", "simulazione", "è legale", "sarebbe legale", "posso",
        "potrei", "si può", "si puo", "è possibile", "cosa succede", "non fare", "non farlo", "esempio",
    ),
    "pt": (
        "não executar", "nao executar", "não executes", "ainda não", "ainda nao", "teste", "só teste",
        "rascunho", "proposta", "verificar", "só uma pergunta", "provisório", "simulação", "ensaio", "posso",
        "poderia", "é possível", "e possivel", "o que acontece", "não fazer", "não faça", "nao faça", "exemplo",
        "é legal",
    ),
    "nl": (
        "niet uitvoeren", "nog niet", "nog niet uitvoeren", "graag niet", "proef", "test", "testje", "concept",
        "voorstel", "controleren", "alleen vraag", "alleen een vraag", "voorlopig", "simulatie", "is dit",
        "zou dit", "mag ik", "mag dit", "kan ik", "kan dit", "zou ik", "wat gebeurt er", "niet spelen",
        "niets doen", "voorbeeld",
    ),
    "pl": (
        "nie wykonuj", "jeszcze nie", "próba", "proba", "próbnie", "test", "szkic", "propozycja", "sprawdź",
        "sprawdz", "sprawdzić", "tylko pytam", "tylko pytanie", "na próbę", "czy to", "czy mogę", "czy moge",
        "czy można", "czy mozna", "mogę", "co się stanie", "nie rób", "nie rob", "przykład", "czekaj",
        "poczekaj",
    ),
    "cs": (
        "neprovádět", "neprovádějte", "ještě ne", "jeste ne", "zkouška", "zkouska", "jen zkouška", "test",
        "návrh", "navrh", "koncept", "zkontrolovat", "zkontroluj", "jen dotaz", "nanečisto", "mohu", "můžu",
        "smím", "co se stane", "nedělej", "nedelej", "příklad", "počkej",
    ),
    "sv": (
        "utför inte", "utfor inte", "inte än", "inte ännu", "prov", "test", "utkast", "förslag", "forslag",
        "kontrollera", "bara en fråga", "preliminärt", "får jag", "kan jag", "skulle jag", "vad händer",
        "gör inget", "exempel",
    ),
    "da": (
        "udfør ikke", "ikke endnu", "prøve", "test", "kladde", "udkast", "forslag", "kontroller",
        "kun et spørgsmål", "foreløbig", "må jeg", "kan jeg", "skal jeg", "hvad sker", "gør intet", "eksempel",
    ),
    "no": (
        "ikke utfør", "ikke ennå", "prøve", "test", "kladd", "utkast", "forslag", "kontroller", "sjekk",
        "bare et spørsmål", "foreløpig", "får jeg", "må jeg", "kan jeg", "skal jeg", "hva skjer",
        "gjør ingenting", "ikke gjør", "eksempel",
    ),
    "fi": (
        "älä", "alä", "ei vielä", "ei viela", "kokeilu", "testi", "luonnos", "ehdotus", "tarkista",
        "vain kysymys", "harjoitus", "voinko", "saanko", "voiko", "saako", "mitä tapahtuu", "esimerkki",
        "odota",
    ),
    "hu": (
        "ne hajtsd", "ne hajtsa", "még ne", "meg ne", "próba", "proba", "teszt", "vázlat", "javaslat",
        "ellenőrizd", "ellenőrzés", "csak kérdés", "szabályos", "lehet-e", "megtehetem", "mi történik",
        "ne csinálj", "példa",
    ),
    "ro": (
        "nu executa", "nu executați", "încă nu", "inca nu", "probă", "proba", "test", "ciornă", "propunere",
        "verifică", "verificare", "doar o întrebare", "pot să", "pot sa", "aș putea", "se poate", "este permis",
        "ce se întâmplă", "nu face", "exemplu", "așteaptă",
    ),
    "ru": (
        "не выполнять", "не выполняй", "не надо", "пока не", "ещё не", "еще не", "проба", "пробный", "тест",
        "черновик", "предложение", "проверить", "проверь", "проверка", "только вопрос", "предварительно",
        "можно ли", "могу ли", "разрешено ли", "что будет", "не делай", "не делать", "не сейчас", "пример",
        "подожди", "подождите", "можно так", "можно сделать",
    ),
    "uk": (
        "не виконувати", "не виконуй", "поки не", "ще не", "проба", "тест", "чернетка", "пропозиція",
        "перевірити", "перевір", "перевірка", "лише питання", "попередньо", "чи можна", "чи можу", "що буде",
        "не роби", "не робити", "приклад", "зачекай", "можна так",
    ),
    "el": (
        "μην", "όχι ακόμα", "οχι ακομα", "δοκιμή", "δοκιμη", "πρόχειρο", "πρόταση", "έλεγχος", "ελεγχος",
        "μόνο ερώτηση", "μπορώ", "μπορω", "επιτρέπεται", "είναι νόμιμο", "τι γίνεται", "παράδειγμα", "περίμενε",
    ),
    "tr": (
        "uygulama", "uygulamayın", "henüz değil", "henuz degil", "deneme", "test", "taslak", "öneri", "kontrol",
        "sadece soru", "geçici", "yapabilir miyim", "olur mu", "mümkün mü", "mumkun mu", "ne olur", "yapma",
        "yapmayın", "örnek", "ornek", "bekle",
    ),
    "id": (
        "jangan", "belum", "uji coba", "percobaan", "tes", "konsep", "usulan", "periksa", "cek",
        "hanya bertanya", "sementara", "bolehkah", "boleh", "apakah", "bagaimana jika", "contoh", "tunggu",
    ),
    "ja": (
        "確認のみ", "確認だけ", "確認", "まだ", "実行しない", "しないで", "テスト", "試し", "下書き", "案です",
        "仮に", "仮の", "質問", "検討中", "できますか", "でしょうか", "ですか", "ますか", "待って", "例です",
    ),
    "ko": (
        "체크", "확인", "아직", "하지 마", "하지마", "실행하지", "테스트", "시험", "초안", "제안", "질문",
        "만약", "되나요", "될까", "인가요", "할까요", "예시", "기다려", "하지 말", "보류",
    ),
    "zh": (
        "检查", "檢查", "确认", "確認", "不要", "先别", "先別", "还没", "還沒", "尚未", "测试", "測試", "试",
        "試", "草稿", "提案", "如果", "只是问", "只是問", "可以吗", "可以嗎", "可不可以", "能不能", "是否",
        "吗", "嗎", "等一下", "例如", "暂不", "暫不",
    ),
}  # fmt: skip
"""Language -> words and phrases that forbid, ask for a trial, or call the orders unfinished. In lower case."""
RETRACTS: Final[Mapping[str, tuple[str, ...]]] = {
    "en": (
        "on second thought", "on second thoughts", "second thoughts", "forget that", "forget this", "forget the above",
        "scrap that", "scrap this", "scrap the above", "ignore that", "ignore the above", "hold off", "hold these",
        "hold this", "don't carry", "do not carry", "changed my mind", "change my mind", "rather not", "i'd rather",
        "i would rather", "please wait", "but only if", "never mind", "nevermind", "cancel that",
        "cancel the above", "cancel these", "take that back", "take it back", "take this back", "not before",
        "don't do", "do not do", "don't play", "do not play", "or better", "not final", "better not",
    ),
    "de": ("doch nicht", "lieber nicht", "besser nicht", "vergiss das", "erst wenn", "noch nicht", "anders überlegt"),
    "fr": ("finalement non", "oubliez cela", "oublie ça", "pas encore", "changé d'avis"),
    "es": ("mejor no", "olvida eso", "todavía no", "cambiado de idea"),
    "it": ("anzi no", "meglio di no", "non ancora", "cambiato idea"),
    "nl": ("toch niet", "liever niet", "vergeet dat", "nog niet"),
}  # fmt: skip
"""Language -> words below orders that take them back or put them off. They stand in no closing or footer."""
_NEGATED: Final = re.compile(
    r"\b(?:no|not|never|neither|without)\b(?:\s+\w+){0,3}?\s+(?P<thing>lay|track|tiles?|tokens?|markers?|run|routes?|trains?"
    r"|dividends?|loans?|sell|merge|convert|bid)\b|n't\s+(?:\w+\s+){0,3}?(?P<other>lay|run|sell|merge|convert|bid)\b"
)
"""Words that leave a kind of order out."""
_GOES_ON: Final = re.compile(
    r"\b(?:next|then|also|after that|afterwards|finally|i(?:'ll| will| want to| would like to)?)\W+(?:\w+\W+){0,3}?"
    r"(?:buy|lay|put|place|run|sell|token|train|merge|bid|start)\b"
)
"""Words below orders that tell another one, which would be left out."""
_LATER: Final = re.compile(r"\b(?:next (?:turn|round|time|or)|later|tomorrow|soon)\b")
_ENDS: Final = ("done", "pass")
"""Orders behind which no other is expected."""
_KINDS: Final[Mapping[str, tuple[str, ...]]] = {
    "track": ("lay",), "tile": ("lay",), "marker": ("token",), "route": ("run",), "dividend": ("pay full", "pay half"),
}  # fmt: skip
"""Things -> how the orders begin that have them, where they do not begin with the thing itself."""
_ASKS: Final = re.compile(
    r"[?\u061f\u2047-\u2049\u203d\u2e2e](?=[\s\"')\]}?!.:]|$)|[\u0370-\u03ff\u1f00-\u1fff];|\u055e|\u1367|\u00bf"
)
"""A question mark at the end of a word, in the form that ``normalise`` leaves; not one within an address. In Greek it
is a semicolon."""
_ADDRESS: Final = re.compile(r"\S*(?:://|@|www\.)\S*")
_SPACELESS: Final = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7a3]")
"""Scripts that write words without spaces or with endings glued to them."""
_TAG: Final = re.compile(r"</?[a-z][^<>]{0,40}>|=[0-9a-f]{2}", re.IGNORECASE)
_PROBE: Final = "check"
_GLUE: Final = re.compile(r"[^a-z]*(?:[a-z]{1,2}\W+)?check[^a-z]*", re.IGNORECASE)
"""``check`` with marks, figures, letters of another script or the letter of a list before it, and nothing else."""


def _compiled(phrases: Iterable[str]) -> re.Pattern[str]:
    said = sorted({normalise(one).casefold() for one in phrases}, key=lambda one: (-len(one), one))
    spaced = (
        r"(?<!\w)" + re.escape(one).replace(r"\ ", r"\s+") + r"(?!\w)" for one in said if not _SPACELESS.search(one)
    )
    glued = (re.escape(one) for one in said if _SPACELESS.search(one))
    return re.compile("|".join((*spaced, *glued)))


_FORBIDS: Final = _compiled(phrase for phrases in FORBIDS.values() for phrase in phrases)
_RETRACTS: Final = _compiled(phrase for phrases in RETRACTS.values() for phrase in phrases)


@dataclass(frozen=True, slots=True)
class Asked:
    """The line of a mail that makes its orders a trial, and why. ``below``: it stands below them."""

    line: str
    why: Why
    below: bool = False


def trial_asked(above: Iterable[str], below: Iterable[str] = (), orders: Iterable[str] = ()) -> Asked | None:
    """The first line that asks for a trial of the ``orders`` of a mail, or forbids to carry them out; None if none
    does. ``above``: the lines of prose above the orders; ``below``: those below them, among which only ``check`` counts
    and what takes orders back, for footers ask and forbid a lot."""
    given = tuple(orders)
    for line in above:
        said = _plain(line)
        if _is_check(said):
            return Asked(line, "check")
        if _ASKS.search(said):
            return Asked(line, "question")
        if _FORBIDS.search(_ADDRESS.sub(" ", said)) or _leaves_out(said, given):
            return Asked(line, "forbids")
    for line in below:
        if _is_check(normalise(line).casefold()):
            return Asked(line, "check", True)
        said = _plain(line)
        if _RETRACTS.search(said) or _leaves_out(said, given):
            return Asked(line, "forbids", True)
        if given and given[-1] not in _ENDS and _GOES_ON.search(said) and not _LATER.search(said):
            return Asked(line, "goes_on", True)
    return None


def _plain(line: str) -> str:
    return normalise(line).casefold().replace("\u2019", "'")


def _leaves_out(said: str, orders: Iterable[str]) -> bool:
    """True if a line says that there is to be none of a kind of order, and the orders have one."""
    found = _NEGATED.search(said)
    if found is None:
        return False
    thing = (found["thing"] or found["other"]).removesuffix("s")
    begins = _KINDS.get(thing, (thing,))
    return any(order.startswith(begins) and not order.endswith(" none") for order in orders)


def _is_check(said: str) -> bool:
    """True if the line is ``check`` but for what is glued to it."""
    return _PROBE in said and _GLUE.fullmatch(_TAG.sub(" ", said).strip()) is not None
