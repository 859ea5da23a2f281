"""The search over rulebooks: passages in which all words of a query stand, however they are written.

Words are compared by their stems: without case and accents, without the endings of the plural and of -ing and
-ed, and hyphens are blanks.
"""

from __future__ import annotations

import difflib
import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache

from ludoteca.text import words
from ludoteca.web.html.rulebook import Passage, book

MOST = 12  # passages of a game that are shown
LONGEST = 260  # letters of a sentence that is shown
NEAR = 3  # words that are proposed if nothing is found
WORD = re.compile(r'[^\W_]+')
SENTENCE_END = re.compile(r'(?<=[.!?:;])\s+(?=\S)')

Marked = tuple[tuple[str, bool], ...]
"""A text in parts, each with whether it matches the query."""


@dataclass(frozen=True)
class SearchHit:
    """A passage that answers a query, the heading above it and its best sentence, with the words found."""

    passage: Passage
    heading: Marked
    sentence: Marked


def stem(word: str) -> str:
    """What forms of a word have in common, roughly: `Cities` and `city`, `façade` and `facade`."""
    plain = unicodedata.normalize('NFKD', word).casefold()
    plain = ''.join(letter for letter in plain if not unicodedata.combining(letter))
    for ending, instead in (('ies', 'y'), ('sses', 'ss'), ('xes', 'x'), ('ches', 'ch'), ('shes', 'sh')):
        if plain.endswith(ending) and len(plain) > len(ending) + 1:
            return plain.removesuffix(ending) + instead
    if plain.endswith('s') and not plain.endswith(('ss', 'us', 'is')) and len(plain) > 3:
        plain = plain[:-1]
    for ending in ('ing', 'ed'):
        if plain.endswith(ending) and len(plain) > len(ending) + 2:
            plain = plain.removesuffix(ending)
            # `running` and `run`
            if len(plain) > 3 and plain[-1] == plain[-2] and plain[-1] not in 'sl':
                plain = plain[:-1]
    return plain.removesuffix('e') if len(plain) > 3 else plain


def stems(text: str) -> frozenset[str]:
    """The stems of the words of a text."""
    return frozenset(stem(word) for word in WORD.findall(text))


def wanted(query: str) -> frozenset[str]:
    """The stems that a query looks for: small words only if it has no others."""
    idle = words('web.rules.search.idle').split()
    found = [word for word in WORD.findall(query) if word.casefold() not in idle]
    return stems(' '.join(found) or query)


@cache
def _index(game: str) -> tuple[tuple[Passage, frozenset[str], frozenset[str]], ...]:
    """The passages of a rulebook and its readings with the stems of their texts and of the headings above."""
    found = book(game)
    if found is None:
        return ()
    chapters = (found.head, *found.chapters, *found.readings)
    return tuple(
        (passage, stems(passage.text), stems(passage.heading))
        for chapter in chapters
        for passage in chapter.passages
    )


def search(game: str, query: str) -> list[SearchHit]:
    """The passages of a game in which all words of a query stand, in their text or in the heading above it,
    and at least one of them in the text; the best first: headings, then those with all in one sentence."""
    looked_for = wanted(query)
    if not looked_for:
        return []
    found: list[tuple[tuple[int, int, int], SearchHit]] = []
    for n, (passage, text, heading) in enumerate(_index(game)):
        if not looked_for & text or not looked_for <= text | heading:
            continue
        sentence = max(_sentences(passage.text), key=lambda one: len(looked_for & stems(one)))
        together = len(looked_for & stems(sentence))
        result = SearchHit(
            passage,
            tuple(_mark(passage.heading, looked_for)),
            tuple(_mark(_cut(sentence, looked_for), looked_for)),
        )
        found.append(((-int(passage.is_heading), -together, n), result))
    return [result for _, result in sorted(found, key=lambda item: item[0])]


def nearest_words(games: Sequence[str], query: str) -> list[str]:
    """Words of the rulebooks that look like those of a query which no rulebook has."""
    known: dict[str, str] = {}
    for game in games:
        for passage, _, _ in _index(game):
            for word in WORD.findall(passage.text):
                known.setdefault(stem(word), word.casefold())
    missing = sorted(one for one in wanted(query) if one not in known)
    near = (difflib.get_close_matches(one, known, NEAR, 0.75) for one in missing)
    return list(dict.fromkeys(known[one] for some in near for one in some))[:NEAR]


def _sentences(text: str) -> list[str]:
    return SENTENCE_END.split(text)


def _cut(sentence: str, looked_for: frozenset[str]) -> str:
    """The part of a long sentence round the first word that was looked for."""
    if len(sentence) <= LONGEST:
        return sentence
    at = next((one.start() for one in WORD.finditer(sentence) if stem(one[0]) in looked_for), 0)
    begin = max(0, min(at - LONGEST // 3, len(sentence) - LONGEST))
    begin = sentence.find(' ', begin) + 1 if begin else 0
    end = sentence.rfind(' ', 0, begin + LONGEST) if begin + LONGEST < len(sentence) else len(sentence)
    return ('… ' if begin else '') + sentence[begin:end] + (' …' if end < len(sentence) else '')


def _mark(text: str, looked_for: frozenset[str]) -> Iterator[tuple[str, bool]]:
    """A text in parts, so that the words that were looked for are parts of their own."""
    at = 0
    for word in WORD.finditer(text):
        if stem(word[0]) in looked_for:
            if word.start() > at:
                yield text[at : word.start()], False
            yield word[0], True
            at = word.end()
    if at < len(text):
        yield text[at:], False
