import AccountStorage
import Foundation

/// What stays behind of many decodes.
let memoryBenchmarks = [
    Benchmark("decode-memory", "growth of the resident memory over a million decodes") { settings in
        let files = try AccountFiles.mixed(settings.amount(SampleAccounts.count) / 10)
        let decoder = files.decoder
        func decode(_ times: Int) throws {
            let expected = try decoder.decode(files.contents.indices)
            for _ in 0..<(times / files.contents.count) {
                try check(try decoder.decode(files.contents.indices) == expected, "a decode gave another result")
            }
        }
        // What is made once, forms and the allocator's stock, is there before anything counts.
        try decode(settings.amount(200_000))
        let before = try residentBytes()
        try decode(settings.amount(1_000_000))
        let growth = try residentBytes() - before
        return Figures(unit: "bytes", ours: Double(growth), baseline: 0, baselineName: "none", ratio: nil)
    }
]

/// The bytes of this process that are in memory.
func residentBytes() throws -> Int {
    let fields = try String(contentsOfFile: "/proc/self/statm", encoding: .utf8).split(separator: " ")
    guard fields.count > 1, let pages = Int(fields[1]) else {
        throw BenchmarkError("/proc/self/statm is not as expected")
    }
    return pages * Int(getpagesize())
}
