/// What the codes of failures mean, for who has not met them before.
enum FailureMeaning {
    /// A sentence about a code.
    static func of(_ code: String) -> String { sentences[code] ?? "" }

    private static let sentences = [
        "empty": "There is nothing in the file.",
        "notAPropertyList": "The file is something else than an archive, which is a binary or an XML property list.",
        "unsupportedVersion": "The file is a property list of a version that no app writes archives in.",
        "truncated": "The file ends before its content does: its end is lost.",
        "badTrailer": "The end of the file, which says where everything is, is damaged.",
        "badOffsetTable": "The objects of the file overlap, have gaps between them, or are not where the file says.",
        "offsetOutOfRange": "The file refers to a place outside of itself: it is damaged.",
        "badLength": "A length in the file cannot be true: it is damaged.",
        "badString": "A text in the file is not valid: it is damaged.",
        "unsupportedMarker": "A value in the file is of no kind that there is: it is damaged.",
        "refOutOfRange": "The file refers to an object that it does not have: it is damaged.",
        "cycle": "An object contains itself.",
        "tooDeep": "Objects are nested deeper than the limit.",
        "tooLarge": "The file, or something in it, is larger than the limit.",
        "badKey": "A key is something else than text.",
        "duplicateKey": "A key is there twice, or two keys mean the same property.",
        "badXML": "The XML is damaged, or is no property list.",
        "entityForbidden":
            "The XML declares entities or a document type of its own, which can be an attack and is never read.",
        "notAnArchive": "The file is a property list, but no archive of NSKeyedArchiver.",
        "badTop": "The archive does not say which of its objects is the root.",
        "badObjects": "The list of objects is damaged, or has objects that nothing refers to.",
        "badRoot": "The root of the archive is neither an account nor a collection of accounts.",
        "noRoot": "The archive holds nothing: its root is nil.",
        "uidOutOfRange": "A reference between objects leads nowhere: the archive is damaged.",
        "missingClass": "An object does not say of which class it is.",
        "badClass": "What an object says about its class is damaged.",
        "wrongClass": "The object is of a class that was not declared to be an account.",
        "oldArchiver": "The file is an archive of NSArchiver, which was there before keyed archives.",
        "missingKey": "The archive lacks a key that an account needs.",
        "unknownKey": "The archive has a key that an account lacks, and such keys are to be refused.",
        "nullValue": "The archive has nil where an account needs a value.",
        "typeMismatch": "A value is of another type than an account needs.",
        "notIntegral": "A number has a fraction where an account needs a whole number.",
        "outOfRange": "A number is too large for an account.",
        "conflict": "An account of the same user is in the store already, and the import was to refuse such files.",
        "unreadable": "The file or folder cannot be read.",
    ]
}
