/// Markup of a page. What a literal says is markup; what is interpolated into it is text, which is escaped.
///
/// So text from files, users and databases cannot become markup by mistake.
struct HTML: Sendable, ExpressibleByStringInterpolation {
    /// The markup as it stands in a file.
    private(set) var markup: String

    /// Makes nothing.
    init() {
        markup = ""
    }

    init(stringLiteral markup: String) {
        self.markup = markup
    }

    init(stringInterpolation interpolation: Interpolation) {
        markup = interpolation.markup
    }

    /// Whether there is nothing.
    var isEmpty: Bool { markup.isEmpty }

    /// Appends markup.
    static func += (html: inout HTML, other: HTML) {
        html.markup += other.markup
    }

    /// The parts one after the other.
    static func joined(_ parts: some Sequence<HTML>, separator: HTML = "") -> HTML {
        var result = HTML()
        var isFirst = true
        for part in parts {
            if !isFirst { result += separator }
            result += part
            isFirst = false
        }
        return result
    }

    /// What a literal with interpolations is put together from.
    struct Interpolation: StringInterpolationProtocol {
        fileprivate var markup = ""

        init(literalCapacity: Int, interpolationCount: Int) {
            markup.reserveCapacity(literalCapacity + interpolationCount * 16)
        }

        mutating func appendLiteral(_ literal: String) { markup += literal }

        /// Appends text, escaped; also what would steer a terminal or turn the direction of the text around is written out.
        mutating func appendInterpolation(_ text: String) { HTML.escape(text, into: &markup) }

        mutating func appendInterpolation(_ html: HTML) { markup += html.markup }

        mutating func appendInterpolation(_ html: HTML?) { markup += html?.markup ?? "" }

        /// Appends a number for people, its thousands apart.
        mutating func appendInterpolation(count: Int) { markup += Plural.grouped(count) }

        /// Appends a number of things for people: `1 file`, `1,200 files`.
        mutating func appendInterpolation(_ count: Int, _ word: String) {
            markup += Plural.grouped(count)
            markup += count == 1 ? " " : " "
            appendInterpolation(count == 1 ? word : word + "s")
        }

        /// Appends a number for programs, in thousandths.
        mutating func appendInterpolation(number: Double) {
            markup += String((number * 1_000).rounded() / 1_000)
        }
    }

    private static func escape(_ text: String, into markup: inout String) {
        for scalar in DisplayText.line(text).unicodeScalars {
            switch scalar {
            case "&": markup += "&amp;"
            case "<": markup += "&lt;"
            case ">": markup += "&gt;"
            case "\"": markup += "&quot;"
            case "'": markup += "&#39;"
            default: markup.unicodeScalars.append(scalar)
            }
        }
    }
}
