internal import Dispatch
internal import Glibc

/// A process of another program, from its start to its end.
///
/// Foundation's own keeps each process in memory for ever, and reads beyond the end of a folder's entry where it looks for open files; the
/// address sanitizer finds both.
package struct ChildProcess: Sendable {
    package var program: String
    package var arguments: [String]
    package var folder = "/"
    /// The files that are its standard streams.
    package var input = "/dev/null"
    package var output = "/dev/null"
    package var errors = "/dev/null"

    struct Failure: Error {
        var errorNumber: Int32
    }

    package init(program: String, arguments: [String], folder: String = "/") {
        self.program = program
        self.arguments = arguments
        self.folder = folder
    }

    /// Runs it with nothing but a path in its environment, and gives its exit status, or of a signal the negative number.
    package func run() async throws -> Int32 {
        let child = try start()
        // Waiting is not for the few threads that tests run on.
        return await withCheckedContinuation { continuation in
            DispatchQueue.global().async {
                var status: Int32 = 0
                while waitpid(child, &status, 0) < 0, errno == EINTR {}
                let signal = status & 0x7F
                continuation.resume(returning: signal == 0 ? (status >> 8) & 0xFF : -signal)
            }
        }
    }

    private func start() throws -> pid_t {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, input, O_RDONLY, 0)
        posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, output, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
        posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, errors, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
        // There is no portable way to start a process in another folder, so that a shell goes there first.
        let shell = ["/bin/sh", "-c", "cd \"$0\" && exec \"$@\"", folder, program]
        var words = (shell + arguments).map { strdup($0) } + [nil]
        var environment = [strdup("PATH=/usr/bin:/bin"), nil]
        defer { for pointer in words + environment { free(pointer) } }
        var child: pid_t = 0
        let failure = posix_spawn(&child, "/bin/sh", &actions, nil, &words, &environment)
        guard failure == 0 else { throw Failure(errorNumber: failure) }
        return child
    }
}
