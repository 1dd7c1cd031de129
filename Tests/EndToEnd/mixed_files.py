"""A folder as a migration meets it: archives of several apps, good and damaged, copies, and much that is no archive.

What is made depends on a seed alone, apart from the times of the files that change.
"""

from __future__ import annotations

import os
import plistlib
import random
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

# From here on files were saved, over six years.
FIRST_SAVED_AT = 1_440_057_600
SAVED_WITHIN = 6 * 365 * 86_400
IN_THE_FUTURE = 2_000_000_000
# The tool reads no file that is larger.
LARGEST_FILE = 64 << 20
FAT = 1 << 20


@dataclass(frozen=True)
class Form:
    """How an app archives its account."""

    class_name: str
    fields: tuple[tuple[str, str], ...]
    top: str = "root"
    xml: bool = False
    chain: tuple[str, ...] = ()

    def archive(self, values: dict[str, Any]) -> bytes:
        archive = Archive(self.xml)
        return archive.data(archive.account(self, values), self.top)


# Fields by the property and the kind of value: inline in the object, an NSNumber, or a text.
FORMS = (
    Form("Account", (("access_token:token", "text"), ("expires_in", "inline"), ("remind_in", "inline"), ("uid", "inline"))),
    Form("Account", (("uid", "inline"), ("access_token:token", "text"), ("expires_in", "inline"), ("remind_in", "inline"))),
    Form(
        "Account",
        (("access_token:token", "text"), ("expires_in", "inline"), ("remind_in", "inline"), ("uid", "inline")),
        xml=True,
    ),
    Form("HWAccount", (("access_token:token", "text"), ("expires_in", "number"), ("uid", "text"))),
    Form("HVWAccountInfo", (("access_token:token", "text"), ("expires_in", "number"), ("uid", "inline"), ("name", "text"))),
    Form(
        "IWAccount",
        (("accessToken:token", "text"), ("expiresIn:expires_in", "text"), ("remindIn:remind_in", "text"),
         ("userID:uid", "text")),
    ),  # fmt: skip
    Form(
        "Weibo.UserAccount",
        (("access_token:token", "text"), ("expires_in", "number"), ("uid", "text"), ("name", "text")),
        xml=True,
    ),
    Form(
        "OAuthAccount",
        (("token:token", "text"), ("expires:expires_in", "inline"), ("user_id:uid", "inline")),
        top="account",
        chain=("OAuthAccount", "Account", "NSObject"),
    ),
)  # fmt: skip


class Archive:
    """A keyed archive in the making: objects in the order in which Apple's archiver numbers them."""

    def __init__(self, xml: bool) -> None:
        self.xml = xml
        self.objects: list[Any] = ["$null"]
        self.classes: dict[str, Any] = {}

    def add(self, value: Any) -> Any:
        self.objects.append(value)
        index = len(self.objects) - 1
        return {"CF$UID": index} if self.xml else plistlib.UID(index)

    def add_class(self, name: str, chain: tuple[str, ...]) -> Any:
        if name not in self.classes:
            self.classes[name] = self.add({"$classname": name, "$classes": list(chain or (name, "NSObject"))})
        return self.classes[name]

    def account(self, form: Form, values: dict[str, Any]) -> Any:
        fields: dict[str, Any] = {}
        reference = self.add(fields)
        for names, kind in form.fields:
            key, _, name = names.partition(":")
            value = values[name or key]
            if kind == "inline":
                fields[key] = value
            else:
                fields[key] = self.add(str(value) if kind == "text" else value)
        fields["$class"] = self.add_class(form.class_name, form.chain)
        return reference

    def collection(self, form: Form, accounts: list[dict[str, Any]]) -> Any:
        fields: dict[str, Any] = {}
        reference = self.add(fields)
        fields["NS.objects"] = [self.account(form, values) for values in accounts]
        fields["$class"] = self.add_class("NSArray", ())
        return reference

    def data(self, root: Any, top: str = "root") -> bytes:
        content = {
            "$version": 100000, "$archiver": "NSKeyedArchiver", "$top": {top: root}, "$objects": self.objects,
        }  # fmt: skip
        return plistlib.dumps(
            content, fmt=plistlib.FMT_XML if self.xml else plistlib.FMT_BINARY, sort_keys=False
        )


@dataclass
class Changing:
    """A file that is written anew while it may be read. Each version has the account of one user, later in rank."""

    path: bytes
    uid: int
    first: bytes
    saved_at: int
    versions: list[bytes]


class MixedFiles:
    """Makes the folder."""

    def __init__(self, folder: Path, count: int, seed: int) -> None:
        self.folder = os.fsencode(folder)
        self.chance = random.Random(seed)
        self.changing: list[Changing] = []
        self.tokens = 0
        self.next_uid = 0
        # What users there are, each with the values and the time of one of its files.
        self.users: list[tuple[dict[str, Any], int, Form]] = []
        self.folders = self.make_folders(max(4, count // 40))
        makers: list[tuple[Callable[[bytes], None], int]] = [
            (self.make_good, 52), (self.make_other_file_of_user, 16), (self.make_truncated, 6), (self.make_flipped, 8),
            (self.make_other, 6), (self.make_collection, 3), (self.make_changing, 5), (self.make_link, 2),
        ]  # fmt: skip
        kinds, weights = zip(*makers, strict=True)
        for number, make in enumerate(self.chance.choices(kinds, weights, k=count)):
            make(self.new_path(number))
        # So few of these that the time goes into the others; the fat ones end batches, of which there are several then.
        for number in range(max(4, min(48, count // 60))):
            self.make_fat(self.new_path(count + number))
        for number in range(2):
            self.make_too_large(self.new_path(2 * count + number))
            os.mkfifo(self.new_path(3 * count + number))

    @property
    def entries(self) -> int:
        """How many things an import looks at: all but folders."""
        return sum(
            not entry.is_dir(follow_symlinks=False)
            for folder, _, _ in os.walk(self.folder)
            for entry in os.scandir(folder)
        )

    # MARK: Places

    def make_folders(self, count: int) -> list[bytes]:
        os.makedirs(self.folder)
        folders = [self.folder]
        names = [b"old", "旧".encode(), b"with space", b"\xff\xfe", b"a\nb", b"Backup 2", b"\xc3\x28"]
        for number in range(count):
            parent = self.chance.choice(folders)
            if parent.count(b"/") - self.folder.count(b"/") > 5:
                parent = self.folder
            folder = parent + b"/" + self.chance.choice(names) + str(number).encode()
            os.mkdir(folder)
            folders.append(folder)
        return folders

    def new_path(self, number: int) -> bytes:
        name = b"%08x-%d" % (self.chance.getrandbits(32), number)
        if self.chance.random() < 0.05:
            name = bytes([self.chance.randrange(0x80, 0x100)]) + name
        return self.chance.choice(self.folders) + b"/" + name + self.chance.choice([b".data", b".archive", b""])

    def write(self, path: bytes, content: bytes, saved_at: int | None = None) -> None:
        with open(path, "xb") as file:
            file.write(content)
        saved_at = self.saved_at() if saved_at is None else saved_at
        os.utime(path, ns=(saved_at * 10**9, saved_at * 10**9 + self.chance.randrange(10**9)))

    def saved_at(self) -> int:
        return FIRST_SAVED_AT + self.chance.randrange(SAVED_WITHIN)

    # MARK: Accounts

    def values(self, uid: int | None = None) -> dict[str, Any]:
        if uid is None:
            self.next_uid += 1
            # Their order is not that of the files.
            uid = 1_000_000_000 + self.next_uid * 7_919 % 4_000_037
        self.tokens += 1
        return {
            "uid": uid,
            "token": "2.00SECRET%012x%06d" % (self.chance.getrandbits(48), self.tokens),
            "expires_in": self.chance.choice([157_679_999, 2_591_999, 604_800, 86_400]),
            "remind_in": self.chance.choice([157_679_999, 86_400]),
            "name": "".join(self.chance.choices("名字abcdef 123", k=6)),
        }

    def new_user(self) -> tuple[dict[str, Any], int, Form]:
        user = (self.values(), self.saved_at(), self.chance.choice(FORMS))
        self.users.append(user)
        return user

    def make_good(self, path: bytes) -> None:
        values, saved_at, form = self.new_user()
        self.write(path, form.archive(values), saved_at)

    def make_other_file_of_user(self, path: bytes) -> None:
        if not self.users:
            return self.make_good(path)
        values, saved_at, form = self.chance.choice(self.users)
        kind = self.chance.choice(["other time", "same time", "copy", "same account in another form"])
        if kind == "other time":
            saved_at = self.saved_at()
        if kind in ("other time", "same time"):
            values = self.values(values["uid"])
        if kind == "same account in another form":
            form = self.chance.choice(FORMS)
        self.write(path, form.archive(values), saved_at)

    def make_collection(self, path: bytes) -> None:
        accounts = [self.values() for _ in range(self.chance.randrange(5))]
        if self.users and self.chance.random() < 0.3:
            accounts.append(self.values(self.chance.choice(self.users)[0]["uid"]))
        archive = Archive(xml=False)
        self.write(path, archive.data(archive.collection(FORMS[0], accounts)))

    def make_fat(self, path: bytes) -> None:
        values, saved_at, _ = self.new_user()
        form = Form("HVWAccountInfo", FORMS[4].fields)
        self.write(path, form.archive(values | {"name": "x" * FAT}), saved_at)

    # MARK: Others

    def make_truncated(self, path: bytes) -> None:
        content = self.chance.choice(FORMS).archive(self.values())
        self.write(path, content[: self.chance.randrange(len(content))])

    def make_flipped(self, path: bytes) -> None:
        content = bytearray(self.chance.choice(FORMS).archive(self.values()))
        for _ in range(self.chance.randrange(1, 4)):
            content[self.chance.randrange(len(content))] ^= 1 << self.chance.randrange(8)
        self.write(path, bytes(content))

    def make_other(self, path: bytes) -> None:
        content = self.chance.choice(
            [b"", b"notes\n", b"\x89PNG\r\n\x1a\n" + self.chance.randbytes(500), plistlib.dumps({"a": [1, 2]}),
             plistlib.dumps(["no archive"], fmt=plistlib.FMT_BINARY), b"bplist00", b'{"access_token": null}',
             self.chance.randbytes(300)]
        )  # fmt: skip
        self.write(path, content)

    def make_link(self, path: bytes) -> None:
        target = self.chance.choice([self.folder, b"/nowhere", path, self.chance.choice(self.folders), b"/dev/zero"])
        os.symlink(target, path)

    def make_too_large(self, path: bytes) -> None:
        self.write(path, b"bplist00")
        os.truncate(path, LARGEST_FILE + 1)

    # MARK: Files that change

    def make_changing(self, path: bytes) -> None:
        """A user of its own, or one with another file, which is older or from the future."""
        form = self.chance.choice(FORMS)
        values = self.values()
        # The same but for tokens of ascending rank: of two that were written within a second the later one counts.
        versions = [
            form.archive(values | {"token": f"2.00SECRETversion{number}{self.chance.getrandbits(40):010x}"})
            for number in range(self.chance.randrange(2, 4))
        ]
        first = versions.pop(0)
        if self.chance.random() < 0.2:
            first = first[: len(first) // 2]
        if self.chance.random() < 0.4:
            other = self.values(values["uid"])
            saved_at = self.chance.choice([self.saved_at(), IN_THE_FUTURE])
            self.write(path + b"-other", self.chance.choice(FORMS).archive(other), saved_at)
        self.changing.append(Changing(path, values["uid"], first, self.saved_at(), versions))

    def reset(self) -> None:
        """Puts the first versions of the files that change in their places."""
        for file in self.changing:
            if os.path.exists(file.path):
                os.unlink(file.path)
            self.write(file.path, file.first, file.saved_at)

    def change(self, seed: int, seconds: float) -> None:
        """Writes the other versions, within some time; for a thread of its own."""
        chance = random.Random(seed)
        files = chance.sample(self.changing, len(self.changing))
        steps = max(len(file.versions) for file in files)
        for step in range(steps):
            for file in files:
                if step < len(file.versions):
                    self.replace(file.path, file.versions[step], chance)
                    time.sleep(seconds / steps / len(files))
            # Two versions of a file have different times, whatever the system's clock can tell apart.
            time.sleep(0.05)

    def replace(self, path: bytes, content: bytes, chance: random.Random) -> None:
        if chance.random() < 0.5:
            # Beside the folder, so that nobody reads it.
            new = self.folder + b".new"
            with open(new, "wb") as file:
                file.write(content)
            os.replace(new, path)
        else:
            with open(path, "wb") as file:
                file.write(content[: len(content) // 3])
                file.flush()
                time.sleep(chance.choice([0, 0, 0.01]))
                file.write(content[len(content) // 3 :])
