internal import Glibc

/// Disks that get full soon: file systems in memory, which only a process of a test and those that it starts see.
package enum SmallDisk {
    /// What starts a process that may mount them.
    package static let unshare = ["unshare", "--mount"] + (geteuid() == 0 ? [] : ["--map-root-user"])

    /// Whether a disk can be mounted here, which takes rights that a container may not have.
    package static func canMount() async -> Bool {
        let arguments = unshare + ["mount", "-t", "tmpfs", "-o", "size=4k", "small", "/tmp"]
        return (try? await ChildProcess(program: "/usr/bin/env", arguments: arguments).run()) == 0
    }
}
