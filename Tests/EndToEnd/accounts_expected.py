"""What an account has to be, worked out from the archive that it is in, without the product."""

from __future__ import annotations

import datetime
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from keyed_archive import Comparison, Date, KeyedArchive

INT64 = range(-(2**63), 2**63)
PROPERTIES = ("uid", "access_token", "expires_in", "remind_in", "obtained_at")


@dataclass(frozen=True)
class ExpectedAccount:
    """An account by its columns, and the archive's nodes of what goes to its extras."""

    columns: dict[str, Any]
    extras: dict[str, Any]
    archive: KeyedArchive

    def __init__(self, data: bytes, options: Sequence[str] = (), modified_at: int | None = None) -> None:
        """Reads the archive's only account, under the options of an import."""
        archive = KeyedArchive(data)
        names, stand_ins = pairs(options, "--key"), pairs(options, "--missing")
        found: dict[str, Any] = {}
        extras: dict[str, Any] = {}
        for key, node in archive.fields(archive.root).items():
            name = names.get(key, key)
            if name in (*PROPERTIES, "expires_at"):
                found[name] = archive.simple(node)
            else:
                extras[key] = node
        columns: dict[str, Any] = {name: found.get(name) for name in PROPERTIES}
        for name in ("expires_in", "remind_in"):
            if name in stand_ins and name not in found:
                columns[name] = stand_ins[name]
        ends = unix(found.get("expires_at"))
        issued = unix(columns["obtained_at"])
        if columns["expires_in"] is None:
            issued = modified_at if issued is None else issued
            assert ends is not None and issued is not None, "nothing says how long the token lives"
            columns["expires_in"] = ends - issued
        for name in ("uid", "expires_in", "remind_in"):
            columns[name] = int(columns[name])
        if issued is None:
            issued = modified_at if ends is None else ends - columns["expires_in"]
        columns["obtained_at"] = issued
        columns["expires_at"] = None if issued is None else saturated(issued + columns["expires_in"])
        object.__setattr__(self, "columns", columns)
        object.__setattr__(self, "extras", extras)
        object.__setattr__(self, "archive", archive)

    @property
    def uid(self) -> int:
        return int(self.columns["uid"])

    def check(self, row: dict[str, Any]) -> None:
        """Holds a row, or what the tool shows as one, against this."""
        need(row, "uid", self.columns)
        for name in self.columns:
            need(row, name, self.columns)
        Comparison(self.archive).compare_fields(self.extras, row["extras"], "extras")


def need(row: dict[str, Any], name: str, expected: dict[str, Any]) -> None:
    Comparison.need(type(row[name]) is type(expected[name]), name, expected[name], row[name])
    Comparison.need(row[name] == expected[name], name, expected[name], row[name])


def pairs(options: Sequence[str], option: str) -> dict[str, str]:
    """What the values of an option say, each of them NAME=VALUE."""
    values = [value for name, value in zip(options, options[1:], strict=False) if name == option]
    return dict(value.rsplit("=", 1) for value in values)


def unix(date: Date | None) -> int | None:
    return None if date is None else date.unix_seconds


def saturated(seconds: int) -> int:
    return min(max(seconds, INT64[0]), INT64[-1])


def shown_as_row(account: dict[str, Any]) -> dict[str, Any]:
    """An account as 'list --json' shows it, with its times as a row has them."""
    times = {name: shown_time(account[name]) for name in ("obtained_at", "expires_at")}
    return account | times


def shown_time(text: str | None) -> int | None:
    """Unix seconds of a time in whole seconds of UTC, whatever its year."""
    if text is None:
        return None
    found = re.fullmatch(r"(\d{4}|[+-]\d{4,})(-\d\d-\d\dT\d\d:\d\d:\d\d)Z", text)
    if not found:
        raise ValueError(f"{text} is no time of ISO 8601 in whole seconds of UTC")
    # Python's calendar ends with the year 9999; that of Gregory repeats itself after 400 years, which are 146097 days.
    cycles, year = divmod(int(found[1]) - 2000, 400)
    since = datetime.datetime.fromisoformat(f"{2000 + year}{found[2]}") - datetime.datetime(1970, 1, 1)
    return (cycles * 146097 + since.days) * 86400 + since.seconds
