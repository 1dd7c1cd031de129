extension Array {
    /// An array of at most `capacity` elements, which `body` appends without a check of the array at each.
    ///
    /// The library's `init(capacity:initializingWith:)` looks the type of its storage up at run time, which costs
    /// as much as reading a small file does.
    @inline(__always)
    init<Failure: Error>(
        filling capacity: Int,
        _ body: (inout OutputSpan<Element>) throws(Failure) -> Void
    ) throws(Failure) {
        self = []
        reserveCapacity(capacity)
        try append(addingCapacity: capacity, initializingWith: body)
    }
}
