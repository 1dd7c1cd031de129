#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#elseif canImport(Darwin)
    internal import Darwin
#endif

/// What the system gave this process to read: arguments, environment, the terminal.
public enum ProcessArguments {
    /// The arguments after the program's name, byte for byte.
    ///
    /// `CommandLine.arguments` would repair what is not UTF-8, so that a file of such a name could not be opened.
    public static var all: [RawArgument] {
        (1..<max(1, CommandLine.argc)).compactMap { index in
            CommandLine.unsafeArgv[Int(index)].map(RawArgument.init(cString:))
        }
    }

    /// The value of an environment variable; `nil` if it is not set.
    public static func environment(_ name: String) -> RawArgument? {
        getenv(name).map(RawArgument.init(cString:))
    }

    /// The columns that help may take: `COLUMNS` if it is set, else those of the terminal on standard output, but at
    /// most 100, since longer lines are hard to read; 80 if there is no terminal.
    public static var helpWidth: Int {
        if let columns = environment("COLUMNS").flatMap({ Int($0.text) }), columns > 0 { return columns }
        var size = winsize()
        guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return 80 }
        return min(100, Int(size.ws_col))
    }
}

extension RawArgument {
    /// The bytes up to the NUL.
    init(cString: UnsafeMutablePointer<CChar>) {
        self.init(bytes: UnsafeBufferPointer(start: cString, count: strlen(cString)).map(UInt8.init(bitPattern:)))
    }
}
