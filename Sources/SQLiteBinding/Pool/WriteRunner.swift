/// Runs the writes of a pool, on its writing thread.
struct WriteRunner: Sendable {
    let slot: ConnectionSlot
    let pool: ObjectIdentifier
    let counters: PoolCounters
    let events: PoolEvents?
    /// Where others find what the connection has counted.
    let figures: Monitor<ConnectionSlot.Figures>

    /// Runs jobs in their order, those in a row that may share a transaction in one.
    func run(_ jobs: ArraySlice<PoolJob>) {
        for job in jobs { job.noteWait(in: counters, events, isWrite: true) }
        var rest = jobs
        while let first = rest.first {
            let group = rest.prefix { $0.setting.isShared }
            switch (first.setting, group.count) {
            case (.plain, _):
                ConnectionPool.run(first, on: slot, pool: pool, isInterruptible: false)
                first.complete()
            case (.transaction, _), (.shared, 1): writeAlone(first)
            case (.shared, _): writeTogether(group)
            }
            rest = rest.dropFirst(max(1, group.count))
        }
        publishFigures()
    }

    /// Runs jobs in one transaction, or if that fails, each in one of its own.
    private func writeTogether(_ jobs: ArraySlice<PoolJob>) {
        var begun: [PoolJob] = []
        do {
            try writeInOneTransaction(jobs, &begun)
            for job in begun { job.complete() }
        } catch {
            for job in jobs {
                if begun.isEmpty {
                    // What keeps one from beginning keeps all of them; each would wait as long again for a lock, say.
                    refuse(job, error)
                } else {
                    // It was rolled back, with what all of them had written.
                    writeAlone(job, hasBegun: begun.contains { $0 === job })
                }
            }
        }
    }

    /// Runs those of the jobs that are still wanted once the lock is held.
    private func writeInOneTransaction(_ jobs: ArraySlice<PoolJob>, _ begun: inout [PoolJob]) throws {
        do {
            try transaction { connection in
                for job in jobs where job.begin(interrupting: nil) {
                    begun.append(job)
                    job.perform(on: connection)
                    // A full disk, say, ends the whole transaction, and those that came before with it.
                    if connection.isAutocommit { throw LostTransaction() }
                }
            }
            counters.noteCommit(writes: begun.count { !$0.hasFailed })
        } catch {
            _ = slot.settle()
            throw error
        }
        if let error = slot.settle() { throw error }
    }

    /// Runs a job in a transaction of its own, unless it is not wanted any more when the lock is held.
    private func writeAlone(_ job: PoolJob, hasBegun: Bool = false) {
        do {
            try transaction { connection in
                guard hasBegun || job.begin(interrupting: nil) else { throw LostTransaction() }
                job.perform(on: connection)
                if job.hasFailed { throw LostTransaction() }
            }
            counters.noteCommit(writes: 1)
            if let error = slot.settle() { job.fail(error) }
            job.complete()
        } catch is LostTransaction {
            _ = slot.settle()
            job.complete()
        } catch {
            _ = slot.settle()
            refuse(job, error)
        }
    }

    /// The transaction was rolled back for the sake of a job, which knows why.
    private struct LostTransaction: Error {}

    private func refuse(_ job: PoolJob, _ error: any Error) {
        _ = job.begin(interrupting: nil)
        job.fail(error)
        job.complete()
    }

    private func transaction(_ body: (Connection) throws -> Void) throws {
        let connection = try slot.use()
        var start: MonotonicInstant?
        defer { if let start { events?.noteTransaction(MonotonicInstant.now.since(start), isWrite: true) } }
        try PoolAccess.enter(pool) {
            try connection.transaction(.immediate) {
                if events != nil { start = .now }
                try body(connection)
            }
        }
    }

    private func publishFigures() {
        let now = slot.takeFigures()
        let before = figures.withLock { figures in
            defer { figures = now }
            return figures
        }
        if let events, now.lockWaits > before.lockWaits {
            events.send(
                .lockWait(count: now.lockWaits - before.lockWaits, duration: now.lockWaitTotal - before.lockWaitTotal)
            )
        }
    }
}
