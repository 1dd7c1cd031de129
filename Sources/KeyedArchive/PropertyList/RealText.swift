#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#elseif canImport(Darwin)
    internal import Darwin
#endif

/// The text that CoreFoundation gives a real in XML.
enum RealText {
    /// 17 significant digits, as `%.17g` of C, and names for what has no digits.
    static func describe(_ value: Double) -> String {
        if value.isNaN { return "nan" }
        if value.isInfinite { return value < 0 ? "-infinity" : "+infinity" }
        // CoreFoundation writes zero so, and loses its sign.
        if value == 0 { return "0.0" }
        var buffer = [CChar](repeating: 0, count: 40)
        let length = unsafe withVaList([value]) { arguments in
            unsafe vsnprintf(&buffer, buffer.count, "%.17g", arguments)
        }
        var text = ""
        for byte in buffer.prefix(max(0, Int(length))).map({ UInt8(bitPattern: $0) }) {
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "+"), UInt8(ascii: "e"):
                text.unicodeScalars.append(Unicode.Scalar(byte))
            // The decimal point of the process's locale, of one byte or more.
            default:
                if text.last != "." { text.append(".") }
            }
        }
        return text
    }
}
