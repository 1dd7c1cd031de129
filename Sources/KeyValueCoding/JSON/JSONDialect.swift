/// How JSON stands for values that it has no form of its own for.
public enum JSONDialect: Sendable, Hashable {
    /// JSON as other programs write it, such as the reply of an API: each object is a dictionary, whatever its keys.
    ///
    /// Written so, dates, data and the like look as in ``tagged``, but are read back as dictionaries.
    case plain

    /// JSON that every ``Value`` survives: what is read is what was written, down to the last bit of a date.
    ///
    /// | value | JSON |
    /// |---|---|
    /// | date | `{"$date":"2015-08-23T05:33:20.25Z"}`; outside of the years 1 to 9999, `{"$date":1e+20}`, in seconds since 2001, or `"nan"`, `"inf"`, `"-inf"` |
    /// | data | `{"$data":"base64"}` |
    /// | pairs | `{"$pairs":[[key,value],…]}` |
    /// | object | `{"$class":"Account","$classes":["Account","NSObject"],"key":value,…}` |
    /// | reference | `{"$ref":3}` |
    /// | nan and the infinities | `{"$real":"nan"}`, `"inf"`, `"-inf"`; a nan with other bits than usual `"nan:7ff8000000000001"` |
    /// | decimal that a reader would take for another number or for none | `{"$decimal":"1.0"}` |
    ///
    /// A key that begins with `$` is written with another `$` in front. Keys of an object may come in any order; an
    /// object with a `$` key that is none of these is refused.
    case tagged

    /// What is read at most unless the caller says otherwise.
    ///
    /// Tags are containers too: a value nested 512 times takes up to three times as many containers.
    var defaultLimits: JSONLimits {
        switch self {
        case .plain: JSONLimits(depth: 512)
        case .tagged: JSONLimits(depth: 2_048)
        }
    }
}

/// How much of a JSON text is read before it is refused.
public struct JSONLimits: Sendable, Hashable {
    /// The most bytes. 64 MiB by default.
    public var bytes: Int
    /// The most arrays and objects within one another. 512 by default.
    public var depth: Int

    /// Makes limits; each has a safe default.
    public init(bytes: Int = 64 << 20, depth: Int = 512) {
        self.bytes = bytes
        self.depth = depth
    }
}
