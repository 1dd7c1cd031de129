import AccountStorage
import Glibc

/// A process that uses a store as the tests tell it to, and says on standard output what it has done, a line each.
///
/// It is one that can be killed, limited and denied, which the process of the tests cannot.
@main
enum StoreWorker {
    struct WrongUsage: Error {}

    static func main() async {
        do {
            try await run(Array(CommandLine.arguments.dropFirst()))
        } catch {
            say("error \(code(of: error)) \(error)")
            exit(1)
        }
    }

    private static func run(_ arguments: [String]) async throws {
        guard arguments.count >= 2 else { throw WrongUsage() }
        let (path, rest) = (arguments[1], Array(arguments.dropFirst(2)))
        switch arguments[0] {
        case "write": try await Writing.run(path: path, ranges: rest.compactMap(UIDRange.init))
        case "create": try await Creating.run(folder: path)
        case "migrate": try Migrating.run(path: path)
        case "stress": try await Stress.run(path: path, numbers: rest.compactMap { Int64($0) })
        case "starve": try await Starving.run(path: path, step: rest.first.flatMap { Int($0) } ?? 1)
        case "limit":
            try await Filling.run(path: path, room: FileSizeLimit(bytes: rest.first.flatMap { UInt($0) } ?? 0))
        case "fill": try await Filling.run(path: path, room: Ballast(path: rest.first ?? ""))
        default: throw WrongUsage()
        }
    }

    /// Says a line, all of it at once, so that what has been said is not lost with the process.
    static func say(_ line: String) {
        let bytes = Array((line.split(separator: "\n").joined(separator: " ") + "\n").utf8)
        _ = write(STDOUT_FILENO, bytes, bytes.count)
    }

    /// What scripts call a failure.
    static func code(of error: any Error) -> String {
        (error as? StoreError)?.code.rawValue ?? "\(type(of: error))"
    }
}

/// Accounts that one task writes, all at once: so many from a first uid on.
struct UIDRange: Sendable {
    var first: Int64
    var count: Int

    /// Reads `first:count`.
    init?(_ text: String) {
        let parts = text.split(separator: ":").compactMap { Int64($0) }
        guard parts.count == 2, parts[1] > 0 else { return nil }
        (first, count) = (parts[0], Int(parts[1]))
    }

    var uids: Range<Int64> { first..<(first + Int64(count)) }

    /// The accounts with a number in each.
    func accounts(_ number: Int64) -> [Account] {
        uids.map { Account(uid: $0, accessToken: "2.00token\(number)", expiresIn: number, remindIn: number) }
    }
}
