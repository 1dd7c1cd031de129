internal import KeyValueCoding
internal import KeyedArchive

/// A form of archives in a few words.
enum FormText {
    private static let mostKeys = 6

    /// What is particular about a form: keys by other names, missing and additional ones, numbers as text.
    static func description(of form: ArchiveForm) -> String {
        var parts = form.properties.filter { $0.key != $0.value && $0.value != "-" }.sorted { $0.value < $1.value }
            .map { "\($0.value) is called \(Redaction.name($0.key))" }
        for (key, value) in form.supplied.sorted(by: { $0.key < $1.key }) {
            parts.append("no \(key), \(ImportRecord.shown(value)) instead")
        }
        if form.isWholeFile { return (parts + ["kept as whole files"]).joined(separator: "; ") }
        let texts = form.places.filter { $0.isText && $0.property != nil && $0.property != "access_token" }
        if !texts.isEmpty { parts.append("text instead of numbers: " + list(texts.compactMap(\.property))) }
        let extras = form.places.filter { $0.property == nil }.map { Redaction.name($0.field) }
        if !extras.isEmpty { parts.append("more keys: " + list(extras)) }
        return parts.isEmpty ? "the keys and values of the first app" : parts.joined(separator: "; ")
    }

    /// Names in order, each once; of many the first.
    private static func list(_ names: [String]) -> String {
        let names = Set(names).sorted()
        let rest = names.count - mostKeys
        return names.prefix(mostKeys).joined(separator: ", ") + (rest > 0 ? " and \(rest) more" : "")
    }
}
