import KeyedArchive

// A program that wants archives and no database. Writes one and reads it back.
let archive = try Archive.data(
    archiving: ArchivedClass(name: "Account"),
    fields: [ArchiveField("access_token", .text("2.00…")), ArchiveField("uid", .integer(1_404_376_560))]
)
let root = try Archive(reading: archive).rootObject()
print(root.archivedClass.name, root.keys.sorted())
