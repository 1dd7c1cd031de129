import KeyedArchive

/// What libFuzzer calls with each input. Besides not crashing, the library has to keep its promises: what is accepted strictly
/// says the same when less is asked of it, what was read is written so that it reads the same again, an account's archive comes
/// back byte for byte, and a reader that has learned forms gives what one gives that knows none.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzArchive(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let bytes = Array(UnsafeBufferPointer(start: start, count: count))
    GraphCheck.run(bytes)
    AccountCheck.run(bytes)
    ReaderCheck.run(bytes)
    return 0
}

/// How much is read of an input.
func limits(allowingGaps allowsGaps: Bool = false) -> ArchiveLimits {
    ArchiveLimits(bytes: 1 << 20, objects: 50_000, depth: 128, references: 100_000, allowsGaps: allowsGaps)
}

func require(_ condition: Bool, _ what: String) {
    if !condition { fatalError(what) }
}
