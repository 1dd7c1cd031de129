internal import AccountsCommand
internal import ArgumentParsing
internal import Glibc
internal import Synchronization

// A reader that has gone, as `head` does, is told of by the write that fails; the signal would end the program.
signal(SIGPIPE, SIG_IGN)

FileDescriptor.reserveStandardStreams()

let task = Mutex<Task<Int32, Never>?>(nil)
let interrupts = Interrupts { task.withLock { $0?.cancel() } }
let run = Task {
    await AccountsTool.run(
        arguments: ProcessArguments.all,
        environment: ProcessArguments.environment,
        standardInput: FileDescriptor.standardInput,
        standardOutput: FileDescriptor.standardOutput,
        standardError: FileDescriptor.standardError,
        helpWidth: ProcessArguments.helpWidth,
        interrupts: interrupts
    )
}
task.withLock { $0 = run }
// It may have come before.
if interrupts.signal != nil { run.cancel() }
exit(await run.value)
