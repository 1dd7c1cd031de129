internal import AccountsCommand
internal import ArgumentParsing
internal import Glibc

// A reader that has gone, as `head` does, is told of by the write that fails; the signal would end the program.
signal(SIGPIPE, SIG_IGN)

FileDescriptor.reserveStandardStreams()

let status = await AccountsTool.run(
    arguments: ProcessArguments.all,
    environment: ProcessArguments.environment,
    standardInput: FileDescriptor.standardInput,
    standardOutput: FileDescriptor.standardOutput,
    standardError: FileDescriptor.standardError,
    helpWidth: ProcessArguments.helpWidth
)
exit(status)
