import Foundation

/// What the command line asks for that is not possible.
struct Failure: Error {
    var reason: String
}

/// Reads archives as the legacy app did, and prints a JSON array of what is in them, in the order of the paths.
func read(_ paths: ArraySlice<String>) throws {
    var accounts: [[String: Any]] = []
    for path in paths {
        let unarchiver = try NSKeyedUnarchiver(forReadingFrom: try Data(contentsOf: URL(fileURLWithPath: path)))
        unarchiver.requiresSecureCoding = false
        unarchiver.setClass(Account.self, forClassName: "Account")
        guard let account = unarchiver.decodeObject(forKey: NSKeyedArchiveRootObjectKey) as? Account else {
            throw Failure(reason: "\(path): no Account; \(unarchiver.error.map { "\($0)" } ?? "no error")")
        }
        accounts.append(account.values)
    }
    FileHandle.standardOutput.write(try JSONSerialization.data(withJSONObject: accounts))
}

/// Writes an account, of JSON on standard input, to a file as Foundation on this system archives it.
func write(to path: String, format: PropertyListSerialization.PropertyListFormat) throws {
    let json = try JSONSerialization.jsonObject(with: FileHandle.standardInput.readDataToEndOfFile())
    guard let values = json as? [String: Any] else { throw Failure(reason: "no JSON object on standard input") }
    func integer(_ key: String) throws -> Int64 {
        guard let number = values[key] as? NSNumber else { throw Failure(reason: "no integer under \(key)") }
        return number.int64Value
    }
    let account = Account(
        accessToken: values["access_token"] as? String,
        expiresIn: try integer("expires_in"),
        remindIn: try integer("remind_in"),
        uid: try integer("uid")
    )
    let archiver = NSKeyedArchiver(requiringSecureCoding: false)
    archiver.outputFormat = format
    archiver.encode(account, forKey: NSKeyedArchiveRootObjectKey)
    archiver.finishEncoding()
    try archiver.encodedData.write(to: URL(fileURLWithPath: path))
}

let arguments = CommandLine.arguments.dropFirst()
switch (arguments.first, arguments.count) {
case ("read", _): try read(arguments.dropFirst())
case ("write-binary", 2): try write(to: CommandLine.arguments[2], format: .binary)
case ("write-xml", 2): try write(to: CommandLine.arguments[2], format: .xml)
default: throw Failure(reason: "Usage: LegacyApp read PATH... | write-binary PATH | write-xml PATH")
}
