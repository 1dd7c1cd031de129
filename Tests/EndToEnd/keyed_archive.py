"""Keyed archives as Python's plistlib reads them: a second opinion on what is in a file.

Nothing here knows how the product reads an archive. What it shows of one is walked together with the file, node for
node.
"""

from __future__ import annotations

import base64
import datetime
import math
import plistlib
from collections import Counter
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any
from xml.parsers.expat import ExpatError

APPLE_EPOCH = datetime.datetime(2001, 1, 1)
UID = plistlib.UID


class NotAnArchive(Exception):
    """Why a file is no keyed archive, or a damaged one."""


class Disagreement(AssertionError):
    """Where a value is shown as another than it is."""


@dataclass(frozen=True)
class KeyedArchive:
    """What is in the file: its objects, and the names by which some of them are known."""

    objects: list[Any]
    top: dict[str, Any]
    is_binary: bool

    def __init__(self, data: bytes) -> None:
        try:
            content = plistlib.loads(data)
        except (plistlib.InvalidFileException, ExpatError, ValueError, OverflowError) as error:
            raise NotAnArchive(f"no property list: {error}") from error
        is_binary = data.startswith(b"bplist")
        content = content if is_binary else with_uids(content)
        if not isinstance(content, dict) or content.get("$archiver") != "NSKeyedArchiver":
            raise NotAnArchive("a property list, but not NSKeyedArchiver's")
        if content.get("$version") != 100000:
            raise NotAnArchive("another version than 100000, or none")
        objects, top = content.get("$objects"), content.get("$top")
        if not isinstance(objects, list) or objects[:1] != ["$null"]:
            raise NotAnArchive("no $objects that begin with $null")
        if not isinstance(top, dict):
            raise NotAnArchive("no $top")
        object.__setattr__(self, "objects", objects)
        object.__setattr__(self, "top", top)
        object.__setattr__(self, "is_binary", is_binary)

    @property
    def root(self) -> UID:
        """The object that the archive is about: that of the name root, or the only one."""
        root = self.top["root"] if "root" in self.top else next(iter(self.top.values()), None)
        if not isinstance(root, UID):
            raise NotAnArchive("$top names no object")
        return root

    def object(self, uid: UID) -> Any:
        if uid.data >= len(self.objects):
            raise NotAnArchive(f"UID {uid.data} of {len(self.objects)} objects")
        return self.objects[uid.data]

    def class_of(self, node: dict[str, Any]) -> tuple[str, list[str]]:
        """The name of an object's class, and the names from it to NSObject."""
        reference = node["$class"]
        found = self.object(reference) if isinstance(reference, UID) else None
        if not isinstance(found, dict) or not isinstance(found.get("$classname"), str):
            raise NotAnArchive("$class leads to no class")
        return found["$classname"], found.get("$classes", [])

    def simple(self, node: Any) -> Any:
        """The value of a node that is text, a number, a date, data or nothing; Ellipsis for any other."""
        if isinstance(node, UID):
            return None if node.data == 0 else self.simple(self.object(node))
        if not isinstance(node, dict):
            return ... if isinstance(node, list) else node
        if "$class" not in node:
            return ...
        name, _ = self.class_of(node)
        if name == "NSNull":
            return None
        for key in SIMPLE_KEYS.get(name, ()):
            if key in node:
                value = self.simple(node[key])
                if name == "NSDate":
                    return Date(value)
                return value.decode() if key == "NS.bytes" else value
        return ...

    def fields(self, uid: UID) -> dict[str, Any]:
        """The fields of an object, by their keys, as they are in the file."""
        return {key: node for key, node in self.object(uid).items() if key != "$class"}

    def check(self) -> None:
        """Follows everything that can be reached, and raises NotAnArchive for what leads nowhere."""
        met: set[int] = set()
        pending: list[Any] = list(self.top.values())
        while pending:
            node = pending.pop()
            if isinstance(node, UID):
                if node.data in met:
                    continue
                met.add(node.data)
                node = self.object(node)
                if isinstance(node, dict) and not {"$class", "$classname"} & set(node):
                    raise NotAnArchive("an object without $class")
            if isinstance(node, dict):
                if "$class" in node:
                    self.class_of(node)
                pending += node.values()
            elif isinstance(node, list):
                pending += node


@dataclass(frozen=True)
class Date:
    """A point of time, in seconds since 2001-01-01 UTC as the archive has them."""

    seconds: float

    @property
    def unix_seconds(self) -> int:
        """Whole seconds since 1970, rounded down."""
        return math.floor(Fraction(self.seconds)) + 978307200


SIMPLE_KEYS = {
    "NSString": ("NS.string", "NS.bytes"),
    "NSMutableString": ("NS.string", "NS.bytes"),
    "NSData": ("NS.data",),
    "NSMutableData": ("NS.data",),
    "NSDate": ("NS.time",),
}
SEQUENCES = {"NSArray", "NSMutableArray", "NSSet", "NSMutableSet"}
DICTIONARIES = {"NSDictionary", "NSMutableDictionary"}


def with_uids(content: Any) -> Any:
    """The content of an XML property list with its dictionaries of CF$UID as what they stand for."""
    if isinstance(content, dict):
        if list(content) == ["CF$UID"] and type(content["CF$UID"]) is int:
            return UID(content["CF$UID"])
        return {key: with_uids(value) for key, value in content.items()}
    return [with_uids(value) for value in content] if isinstance(content, list) else content


@dataclass
class Comparison:
    """Holds what the tool shows of an archive against the archive."""

    archive: KeyedArchive
    shown_whole: Counter[int] = field(default_factory=Counter)
    referred_to: set[int] = field(default_factory=set)
    where: dict[int, Any] = field(default_factory=dict)

    def compare_top(self, shown: dict[str, Any]) -> None:
        self.need(set(shown) == set(self.archive.top), "top", set(self.archive.top), set(shown))
        for name, node in self.archive.top.items():
            self.compare(node, shown[name], name)
        more_than_once = [index for index, count in self.shown_whole.items() if count > 1]
        self.need(not more_than_once, "top", "each object once", more_than_once)
        nowhere = self.referred_to - set(self.shown_whole)
        self.need(not nowhere, "top", "references to what is shown", nowhere)

    def compare_references(self, document: dict[str, Any]) -> None:
        """Follows what the document says about where each object that is referred to stands."""
        references = document.get("references", {})
        self.need({int(number) for number in references} == self.referred_to, "references", self.referred_to, references)
        for number, path in references.items():
            value = document["top"]
            for step in path:
                value = value[step]
            self.need(value is self.where[int(number)], f"references.{number}", self.where[int(number)], value)

    def compare(self, node: Any, shown: Any, place: str) -> None:
        """Compares a node of the archive with the JSON that is shown for it."""
        simple = self.archive.simple(node)
        if simple is not ...:
            return self.compare_simple(simple, shown, place)
        if isinstance(node, UID):
            if isinstance(shown, dict) and list(shown) == ["$ref"]:
                self.need(shown["$ref"] == node.data, place, node, shown)
                self.referred_to.add(node.data)
                return None
            self.shown_whole[node.data] += 1
            self.where[node.data] = shown
            node = self.archive.object(node)
        if isinstance(node, list):
            return self.compare_elements(node, shown, place)
        if "$class" not in node:
            return self.compare_fields(node, shown, place)
        return self.compare_object(node, shown, place)

    def compare_object(self, node: dict[str, Any], shown: Any, place: str) -> None:
        name, classes = self.archive.class_of(node)
        if name in SEQUENCES:
            return self.compare_elements(numbered(node, "NS.objects", "NS.object."), shown, place)
        if name in DICTIONARIES:
            keys = numbered(node, "NS.keys", "NS.key.")
            return self.compare_entries(keys, numbered(node, "NS.objects", "NS.object."), shown, place)
        self.need(isinstance(shown, dict), place, f"an object of {name}", shown)
        self.need(shown.get("$class") == name, place, name, shown.get("$class"))
        self.need(shown.get("$classes", []) == classes, place, classes, shown.get("$classes"))
        fields = {key: value for key, value in node.items() if key != "$class"}
        rest = {key: value for key, value in shown.items() if key not in ("$class", "$classes")}
        return self.compare_fields(fields, rest, place)

    def compare_entries(self, keys: list[Any], values: list[Any], shown: Any, place: str) -> None:
        """Compares a dictionary, which is an object if its keys are text, and else pairs."""
        self.need(isinstance(shown, dict), place, "a dictionary", shown)
        names = [self.archive.simple(key) for key in keys]
        # Equal keys, which no dictionary has but a file can, stay pairs: nothing of the file is lost.
        if all(isinstance(name, str) for name in names) and len(set(names)) == len(names):
            return self.compare_fields(dict(zip(names, values, strict=True)), shown, place)
        self.need(list(shown) == ["$pairs"], place, "pairs", shown)
        self.need(len(shown["$pairs"]) == len(keys), place, len(keys), len(shown["$pairs"]))
        for key, value, pair in zip(keys, values, shown["$pairs"], strict=True):
            self.compare(key, pair[0], f"{place}, a key")
            self.compare(value, pair[1], f"{place}, the value of {pair[0]}")
        return None

    def compare_fields(self, fields: dict[str, Any], shown: Any, place: str) -> None:
        self.need(isinstance(shown, dict), place, "a dictionary", shown)
        fields = {unescaped(key): node for key, node in fields.items()}
        shown = {unescaped(key): value for key, value in shown.items()}
        self.need(set(fields) == set(shown), place, sorted(fields), sorted(shown))
        for key, node in fields.items():
            self.compare(node, shown[key], f"{place}.{key}")

    def compare_elements(self, nodes: list[Any], shown: Any, place: str) -> None:
        self.need(isinstance(shown, list) and len(shown) == len(nodes), place, f"{len(nodes)} elements", shown)
        for index, (node, value) in enumerate(zip(nodes, shown, strict=True)):
            self.compare(node, value, f"{place}[{index}]")

    def compare_simple(self, value: Any, shown: Any, place: str) -> None:
        match value:
            case bytes():
                expected: Any = {"$data": base64.b64encode(value).decode()}
            case Date(seconds):
                return self.compare_date(seconds, shown, place)
            case datetime.datetime():
                return self.compare_date((value - APPLE_EPOCH).total_seconds(), shown, place)
            case float() if not math.isfinite(value):
                expected = {"$real": str(value)}
            case _:
                expected = value
        # 1, 1.0 and true are equal in Python, and three different things here.
        return self.need(type(shown) is type(expected) and shown == expected, place, expected, shown)

    def compare_date(self, seconds: float, shown: Any, place: str) -> None:
        self.need(isinstance(shown, dict) and list(shown) == ["$date"], place, f"a date of {seconds}", shown)
        date = shown["$date"]
        found = apple_seconds(date) if isinstance(date, str) and date[:1].isdigit() else float(date)
        self.need(found == seconds or (found != found and seconds != seconds), place, seconds, shown)

    @staticmethod
    def need(holds: bool, place: str, expected: Any, shown: Any) -> None:
        if not holds:
            raise Disagreement(f"{place}: expected {expected!r:.300}, shown is {shown!r:.300}")


def numbered(node: dict[str, Any], key: str, prefix: str) -> list[Any]:
    """The elements of a collection, which very old archives have in fields of their own."""
    if key in node:
        return list(node[key])
    count = sum(name.startswith(prefix) for name in node)
    return [node[f"{prefix}{index}"] for index in range(count)]


def unescaped(key: str) -> str:
    """A key that begins with a $ is written with another one before it."""
    return key[1:] if key.startswith("$$") else key


def apple_seconds(text: str) -> float:
    """The seconds since 2001 of a time of ISO 8601 in UTC, however many digits its fraction has."""
    whole, _, fraction = text.removesuffix("Z").partition(".")
    since = datetime.datetime.fromisoformat(whole) - APPLE_EPOCH
    seconds = Fraction(since.days * 86400 + since.seconds)
    return float(seconds + (Fraction(int(fraction), 10 ** len(fraction)) if fraction else 0))
