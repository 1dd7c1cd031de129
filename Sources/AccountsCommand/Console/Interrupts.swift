internal import Glibc
internal import SQLiteBinding
internal import Synchronization

/// What Ctrl-C does while a command is at something that it can stop in order.
///
/// While it is armed, the first `SIGINT`, `SIGTERM` or `SIGHUP` calls a closure instead of ending the process, and the next one ends it.
public final class Interrupts: Sendable {
    private static let signals = [SIGINT, SIGTERM, SIGHUP]
    /// The end of the pipe that the signals' handler writes to; a handler may use nothing else of the program.
    private static let pipeEnd = Atomic<Int32>(-1)

    private let stop: @Sendable () -> Void
    private let received = Atomic<Int32>(0)

    /// - Parameter stop: asks the command to stop.
    public init(_ stop: @escaping @Sendable () -> Void) {
        self.stop = stop
    }

    /// The signal that has come; nil if none has.
    public var signal: Int32? {
        let number = received.load(ordering: .acquiring)
        return number == 0 ? nil : number
    }

    /// Has the signals stop the command in order from now on. Where the system gives no pipe or thread they end it as ever.
    func arm() {
        guard Self.pipeEnd.load(ordering: .acquiring) < 0 else { return }
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { return }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        let input = ends[0]
        Self.pipeEnd.store(ends[1], ordering: .releasing)
        guard SystemThread.start(name: "interrupts", body: { self.wait(on: input) }) else {
            Self.pipeEnd.store(-1, ordering: .releasing)
            for end in ends { close(end) }
            return
        }
        for number in Self.signals { Self.handle(number) }
    }

    /// Has the signals end the process as ever.
    func disarm() {
        for number in Self.signals { Glibc.signal(number, SIG_DFL) }
    }

    private func wait(on input: Int32) {
        var number: UInt8 = 0
        while read(input, &number, 1) < 0, errno == EINTR {}
        received.store(Int32(number), ordering: .releasing)
        stop()
    }

    /// The handler is for one signal only: whoever presses Ctrl-C again does not want to wait.
    private static func handle(_ number: Int32) {
        var action = sigaction()
        sigaction(number, nil, &action)
        // What the parent process has the program ignore, as `nohup` does, stays ignored.
        guard action.__sigaction_handler.sa_handler.map({ unsafeBitCast($0, to: Int.self) }) != 1 else { return }
        action = sigaction()
        action.__sigaction_handler.sa_handler = { number in
            let saved = errno
            var byte = UInt8(truncatingIfNeeded: number)
            _ = Glibc.write(Interrupts.pipeEnd.load(ordering: .acquiring), &byte, 1)
            errno = saved
        }
        action.sa_flags = SA_RESTART | Int32(bitPattern: UInt32(SA_RESETHAND))
        sigaction(number, &action, nil)
    }
}
