import Dispatch
import Foundation
import Synchronization

@main
enum Benchmarks {
    /// All benchmarks, in the order in which they are run.
    static let all =
        accountBenchmarks + graphBenchmarks + memoryBenchmarks + bulkBenchmarks + readBenchmarks + durableBenchmarks
        + concurrentBenchmarks + scaleBenchmarks + storeMemoryBenchmarks + importBenchmarks
        + importMemoryBenchmarks + exportBenchmarks

    /// The main thread waits. As the main task's it would end, and valgrind does not survive the end of a main thread.
    static func main() {
        let status = Mutex<Int32>(1)
        let isDone = DispatchSemaphore(value: 0)
        Task.detached {
            let result = await run(CommandLine.arguments.dropFirst())
            status.withLock { $0 = result }
            isDone.signal()
        }
        isDone.wait()
        exit(status.withLock { $0 })
    }

    /// Does what the command line says, and gives the exit status.
    private static func run(_ arguments: some Sequence<String>) async -> Int32 {
        do throws(Arguments.UsageError) {
            let arguments = try Arguments(arguments)
            let chosen = try choose(arguments.names)
            if arguments.helps {
                print(Arguments.help)
            } else if arguments.lists {
                for benchmark in chosen { print(benchmark.name, benchmark.summary, separator: "\t") }
            } else if let folder = arguments.importedFolder {
                return await importFolder(folder) ? 0 : 1
            } else if arguments.settings.counted != nil {
                return await count(chosen, arguments.settings) ? 0 : 1
            } else {
                var run = BenchmarkRun(arguments)
                return await run.run(chosen) ? 0 : 1
            }
            return 0
        } catch {
            say("benchmarks: \(error.reason)\nSee 'benchmarks --help'.")
            return 64
        }
    }

    private static func choose(_ names: [String]) throws(Arguments.UsageError) -> [Benchmark] {
        for name in names where !all.contains(where: { $0.isMeant(by: name) }) {
            throw Arguments.UsageError(reason: "there is no benchmark '\(name)'; '--list' shows them")
        }
        return names.isEmpty ? all : all.filter { names.contains(where: $0.isMeant) }
    }

    /// Runs benchmarks for an ``InstructionCounter``, and prints how many operations each has done.
    private static func count(_ benchmarks: [Benchmark], _ settings: Settings) async -> Bool {
        do {
            for benchmark in benchmarks {
                for figures in try await benchmark.measure(settings) { print(Int(figures.ours)) }
            }
            return true
        } catch {
            say("benchmarks: \(error)")
            return false
        }
    }

    /// Imports a folder, and prints how many files that were, and how many bytes of this process were in memory at most.
    private static func importFolder(_ path: String) async -> Bool {
        do {
            let (files, peak) = try await importAlone(path)
            print(files, peak, separator: "\n")
            return true
        } catch {
            say("benchmarks: \(error)")
            return false
        }
    }

    static func say(_ message: String) {
        FileHandle.standardError.write(Data((message + "\n").utf8))
    }
}
