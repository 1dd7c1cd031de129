"""Archives of the legacy app in any number, made by plistlib."""

from __future__ import annotations

import os
import plistlib
from pathlib import Path
from typing import Any

SAVED_AT = 1440057600


def account_archive(uid: int, token: str, xml: bool = False) -> bytes:
    """An archive with the objects that the legacy app's has."""

    def reference(index: int) -> Any:
        return {"CF$UID": index} if xml else plistlib.UID(index)

    account = {
        "$class": reference(3), "uid": uid, "expires_in": 157679999, "access_token": reference(2),
        "remind_in": 157679999,
    }  # fmt: skip
    archive = {
        "$version": 100000,
        "$archiver": "NSKeyedArchiver",
        "$top": {"root": reference(1)},
        "$objects": ["$null", account, token, {"$classname": "Account", "$classes": ["Account", "NSObject"]}],
    }
    return plistlib.dumps(archive, fmt=plistlib.FMT_XML if xml else plistlib.FMT_BINARY, sort_keys=False)


def write_archives(folder: Path, uids: range, token: str = "2.00SECRETtoken") -> None:
    """Writes a folder of archives, each of a user of its own; the later the uid, the later it was saved."""
    for uid in uids:
        path = folder / f"{uid % 10}" / f"{uid}.data"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(account_archive(uid, f"{token}{uid}"))
        os.utime(path, (0, SAVED_AT + uid))
