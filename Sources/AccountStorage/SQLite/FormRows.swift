internal import KeyValueCoding
internal import KeyedArchive

/// Forms as columns have them.
enum FormRows {
    /// Spellings by place, `{"3":{"$data":"…"}}`; nil for none.
    static func json(of details: ArchiveFormDetails) -> String? {
        if details.isEmpty { return nil }
        var places: [String: Value] = [:]
        for (place, bytes) in details { places[String(place)] = .data(bytes) }
        return Value.dictionary(places).json(dialect: .tagged)
    }

    /// Refuses details that could not be read again.
    static func checkSize(_ details: ArchiveFormDetails, uid: Int64) throws(RowError) {
        guard let reason = RowLimits.reasonToRefuse(details) else { return }
        throw RowError(table: "accounts", key: uid, column: "form_details", reason: reason, isTooLarge: true)
    }

    /// What ``json(of:)`` wrote; nil if it did not write this.
    static func details(json: String?) -> ArchiveFormDetails? {
        guard let json else { return [:] }
        guard case .dictionary(let places)? = try? Value(json: json, dialect: .tagged, limits: RowLimits.json) else {
            return nil
        }
        var details: ArchiveFormDetails = [:]
        for (place, value) in places {
            guard let place = Int(place), place >= 0, case .data(let bytes) = value else { return nil }
            details[place] = bytes
        }
        return details
    }

    /// A form out of its row's content; nil if it is none.
    static func form(content: String) -> ArchiveForm? {
        guard let content = try? Value(json: content, dialect: .tagged, limits: RowLimits.json) else { return nil }
        return ArchiveForm(content: content)
    }
}
