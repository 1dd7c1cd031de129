internal import ArgumentParsing
internal import FoundationEssentials
internal import KeyValueCoding

/// Where `add` takes the time from at which a token was issued.
enum IssueTime: Sendable, Hashable {
    /// The time at which the command runs.
    case now
    /// The time of last change of the file.
    case modification
    /// Nowhere: it stays unknown.
    case unknown
    /// The command line.
    case at(Date)

    /// A file's own time, and for what has none the present.
    static func standard(for input: InputFile) -> IssueTime {
        input.modifiedAt == nil ? .now : .modification
    }

    /// The time in whole seconds, or nil for none.
    func date(for input: InputFile) -> Date? {
        switch self {
        case .now: Timestamp.unixSeconds(Date()).map(Timestamp.date(unixSeconds:))
        case .modification: input.modifiedAt.map(Timestamp.date(unixSeconds:))
        case .unknown: nil
        case .at(let date): date
        }
    }
}

extension ValueParser where Value == IssueTime {
    /// `now`, `mtime`, `none`, or a time.
    static var issueTime: ValueParser {
        ValueParser("TIME", expected: "now, mtime, none, or a time such as 2030-01-01T00:00:00Z") { text in
            switch text {
            case "now": .now
            case "mtime": .modification
            case "none": .unknown
            default: Timestamp.parse(text).map(IssueTime.at)
            }
        }
    }
}
