import Foundation

/// Sets the time at which a file was changed last, in Unix seconds.
func setModificationTime(of path: String, to seconds: Int64) throws {
    try FileManager.default.setAttributes(
        [.modificationDate: Date(timeIntervalSince1970: Double(seconds))],
        ofItemAtPath: path
    )
}
