import CInstruments
import Foundation

/// Counts the instructions that an operation takes: hardly a figure varies as little.
///
/// This program is run again under valgrind, once for each of the two, with a tenth of the work. Only what would be timed is counted.
struct InstructionCounter {
    private let valgrind: String
    private let program: String
    private let folder: StoreFolder

    /// - Parameter folder: for a copy of the program.
    /// - Throws: if it cannot be done here.
    init(in folder: StoreFolder) throws {
        guard cinstruments_has_callgrind() else { throw BenchmarkError("valgrind's headers were missing in the build") }
        guard let valgrind = Self.find("valgrind") else { throw BenchmarkError("there is no valgrind") }
        guard let strip = Self.find("strip") ?? Self.find("llvm-strip") else {
            throw BenchmarkError("there is no strip")
        }
        self.valgrind = valgrind
        self.folder = folder
        program = folder.path + "/benchmarks"
        // Valgrind cannot read the debugging information of a program of this size.
        _ = try Program.run(
            strip,
            ["-o", program, Program.own()]
        )
    }

    /// Instructions for each operation of a benchmark that has one figure for both.
    func count(_ benchmark: Benchmark) throws -> (ours: Double, baseline: Double) {
        (try count(benchmark, .ours), try count(benchmark, .baseline))
    }

    private func count(_ benchmark: Benchmark, _ side: Side) throws -> Double {
        let result = try Program.run(
            valgrind,
            [
                "--tool=callgrind", "--instr-atstart=no", "--callgrind-out-file=/dev/null", program,
                Arguments.counting, side.rawValue, benchmark.name,
            ]
        )
        let collected = result.errors.split(separator: "\n").last { $0.contains("Collected :") }
        guard let operations = Double(result.output.trimmingCharacters(in: .whitespacesAndNewlines)),
            let instructions = collected?.split(separator: " ").last.flatMap({ Double($0) }), instructions > 0
        else { throw BenchmarkError("callgrind has counted nothing: \(result.errors.suffix(500))") }
        return instructions / operations
    }

    private static func find(_ name: String) -> String? {
        (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":").map { "\($0)/\(name)" }
            .first { FileManager.default.isExecutableFile(atPath: $0) }
    }
}
