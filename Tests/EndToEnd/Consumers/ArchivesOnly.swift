import KeyValueCoding
import KeyedArchive

// A program that wants archives and no database. Writes a model, looks at it, changes it, and reads it back.
struct Account: KeyValueCodable {
    var token = ""
    var uid: Int64 = 0
    static let properties = PropertyTable<Account>(
        Property("access_token", \.token, secret: true),
        Property("uid", \.uid)
    )
}

let bytes = try ArchiveEncoder().encode(Account(token: "2.00…", uid: 1_404_376_560))
let archive = try Archive(reading: bytes)
var graph = ArchiveGraph(archive)
try graph.setValue(1_404_376_561, at: "uid")
let changed = try ArchiveDecoder().decode(Account.self, from: graph.data())
let root = try archive.rootObject()
print(root.archivedClass.name, root.keys.sorted(), changed.uid)
