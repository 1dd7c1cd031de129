import Foundation
import KeyValueCoding

/// An archive in XML of one object, with inline values.
enum XMLArchive {
    /// The bytes of an archive.
    static func bytes(_ className: String, _ fields: KeyValuePairs<String, Any>) -> [UInt8] {
        let values = fields.map { key, value in
            let kind = value is String ? "string" : value is Date ? "date" : "integer"
            let text = (value as? Date).map(Timestamp.format) ?? "\(value)"
            return "<key>\(escape(key))</key><\(kind)>\(escape(text))</\(kind)>"
        }
        return Array(
            """
            <?xml version="1.0" encoding="UTF-8"?>
            <plist version="1.0"><dict><key>$archiver</key><string>NSKeyedArchiver</string><key>$version</key>\
            <integer>100000</integer><key>$top</key><dict><key>root</key>\(reference(1))</dict><key>$objects</key><array>\
            <string>$null</string><dict><key>$class</key>\(reference(2))\(values.joined())</dict><dict><key>$classes</key>\
            <array><string>\(escape(className))</string><string>NSObject</string></array><key>$classname</key>\
            <string>\(escape(className))</string></dict></array></dict></plist>
            """.utf8
        )
    }

    private static func reference(_ index: Int) -> String {
        "<dict><key>CF$UID</key><integer>\(index)</integer></dict>"
    }

    private static func escape(_ text: String) -> String {
        text.replacing("&", with: "&amp;").replacing("<", with: "&lt;")
    }
}
