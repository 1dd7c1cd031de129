import AccountStorage

/// What stays behind of many decodes.
let memoryBenchmarks = [
    Benchmark("decode-memory", "growth of the resident memory over a million decodes", reach: .atMost(0)) { settings in
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
        return [Figures(bytes: growth)]
    }
]
