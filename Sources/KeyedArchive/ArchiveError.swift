/// Why a file could not be read as a keyed archive, or an archive not written.
public struct ArchiveError: Error, Sendable, Equatable {
    /// The kind of failure, under the word by which scripts know it.
    public enum Code: String, Sendable, CaseIterable {
        /// The file has no bytes.
        case empty
        /// The file is something other than a property list.
        case notAPropertyList
        /// A property list, or an archive, of a version that is not read here.
        case unsupportedVersion
        /// The file ends before its content does.
        case truncated
        /// The 32 bytes that end a binary property list contradict the file.
        case badTrailer
        /// The offset table does not fit the objects.
        case badOffsetTable
        /// An offset points outside the objects.
        case offsetOutOfRange
        /// A length that the file cannot hold, or that is no length.
        case badLength
        /// Bytes that are no text in the encoding that is declared.
        case badString
        /// A marker byte that no binary property list has.
        case unsupportedMarker
        /// A reference to an object that the file does not have.
        case refOutOfRange
        /// A container that contains itself.
        case cycle
        /// Containers nested more deeply than the limit.
        case tooDeep
        /// More bytes, objects or references than the limit.
        case tooLarge
        /// A dictionary key that is not text.
        case badKey
        /// A key that a dictionary has twice.
        case duplicateKey
        /// XML that is not well formed, or not a property list.
        case badXML
        /// An entity declaration or an external entity; none is ever followed.
        case entityForbidden
        /// A property list that is no keyed archive.
        case notAnArchive
        /// `$top` is missing or is not a dictionary of references.
        case badTop
        /// `$objects` is missing, damaged, or contradicts itself.
        case badObjects
        /// The root cannot be told, or is not what it must be.
        case badRoot
        /// There is no root object.
        case noRoot
        /// A UID that `$objects` does not have.
        case uidOutOfRange
        /// An object without a `$class`.
        case missingClass
        /// A `$class` that does not lead to a description of a class.
        case badClass
        /// An object of a class that was not asked for.
        case wrongClass
        /// An archive of the old, unkeyed archiver.
        case oldArchiver
    }

    /// The kind of failure.
    public var code: Code
    /// Where in the file, in bytes from its start, if it can be told.
    public var byteOffset: Int?
    /// Which element of `$objects`, if it can be told.
    public var objectIndex: Int?
    /// The keys that lead to the place, joined by dots; empty if there is none.
    public var keyPath: String
    /// What was found, what was expected and what can be done, without the place.
    public var reason: String

    /// Makes an error.
    public init(
        _ code: Code,
        at byteOffset: Int? = nil,
        object objectIndex: Int? = nil,
        keyPath: String = "",
        _ reason: String
    ) {
        self.code = code
        self.byteOffset = byteOffset
        self.objectIndex = objectIndex
        self.keyPath = keyPath
        self.reason = reason
    }
}

extension ArchiveError: CustomStringConvertible {
    /// The reason, preceded by the place.
    public var description: String {
        var place: [String] = []
        if let byteOffset { place.append("byte \(byteOffset)") }
        if let objectIndex { place.append("object \(objectIndex)") }
        if !keyPath.isEmpty { place.append("key \(keyPath)") }
        return place.isEmpty ? reason : "\(place.joined(separator: ", ")): \(reason)"
    }
}
