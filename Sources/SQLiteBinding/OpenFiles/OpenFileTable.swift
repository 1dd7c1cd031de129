internal import Glibc

/// Which files the connections of this process have, and the descriptors that wait until none has them.
struct OpenFileTable {
    /// What is known of the files of a connection.
    struct Connection {
        /// The database's path.
        var path: String
        /// The database; nil until it is open.
        var database: FileKey?
        /// The log and the shared memory, by the ends of their names; nil as long as they may still come.
        var companions: [String: FileKey]?

        var isSettled: Bool { database != nil && companions != nil }

        /// The files that are known.
        var files: [FileKey] { [database].compactMap(\.self) + (companions ?? [:]).values }

        func has(_ key: FileKey) -> Bool { database == key || companions?.values.contains(key) == true }

        /// What a file is that is in one of the places of the database.
        func roleByPlace(_ key: FileKey) -> OpenDatabaseFiles.Role? {
            if FileKey(path: path) == key { return .database }
            return ["-shm", "-wal"].contains { FileKey(path: path + $0) == key } ? .companion(of: path) : nil
        }
    }

    /// Descriptors that could not be closed.
    private(set) var parked: [FileKey: [Int32]] = [:]
    private var connections: [ObjectIdentifier: Connection] = [:]
    /// How many connections have a file.
    private var uses: [FileKey: Int] = [:]
    /// The connections of which not all files are known.
    private var unsettled: Set<ObjectIdentifier> = []

    /// Whether a connection may have a file. It may also be one that came after a log that is gone, and has got its number.
    func mayBeInUse(_ key: FileKey) -> Bool {
        uses[key] != nil || unsettledRole(of: key) != nil
    }

    /// What a file is to a connection, in one of whose places it is.
    func role(of key: FileKey) -> OpenDatabaseFiles.Role? {
        guard uses[key] != nil else { return unsettledRole(of: key) }
        return connections.values.lazy.filter { $0.has(key) }.compactMap { $0.roleByPlace(key) }.first
    }

    private func unsettledRole(of key: FileKey) -> OpenDatabaseFiles.Role? {
        unsettled.lazy.compactMap { connections[$0]?.roleByPlace(key) }.first
    }

    /// The path of a file that belongs to a database and is no longer in its place.
    func missingCompanion(of database: FileKey) -> String? {
        for connection in connections.values where connection.database == database {
            let missing = (connection.companions ?? [:]).filter { FileKey(path: connection.path + $0.key) != $0.value }
            // The log is the one that matters.
            if let suffix = missing.keys.max() { return connection.path + suffix }
        }
        return nil
    }

    mutating func add(_ connection: Connection, _ id: ObjectIdentifier) {
        connections[id] = connection
        if !connection.isSettled { unsettled.insert(id) }
        for key in connection.files { uses[key, default: 0] += 1 }
    }

    mutating func remove(_ id: ObjectIdentifier) -> Connection? {
        guard let connection = connections.removeValue(forKey: id) else { return nil }
        unsettled.remove(id)
        for key in connection.files {
            if let count = uses[key] { uses[key] = count > 1 ? count - 1 : nil }
        }
        return connection
    }

    /// Takes a descriptor over, and closes it if its file is not in use any more.
    mutating func park(_ descriptor: Int32, _ key: FileKey) {
        parked[key, default: []].append(descriptor)
        closeUnused()
    }

    /// Closes the descriptors whose files no connection has any more.
    mutating func closeUnused() {
        for (key, descriptors) in parked where !mayBeInUse(key) {
            for descriptor in descriptors { _ = close(descriptor) }
            parked[key] = nil
        }
    }
}
