internal import Foundation

/// How much of a check is done that tries very many things.
public enum Effort {
    /// Whether the environment has `ACCOUNTS_WHOLE_CHECKS`, so that nothing is left out.
    public static let isWhole = ProcessInfo.processInfo.environment["ACCOUNTS_WHOLE_CHECKS"] != nil

    /// Of how many faults in a row one is tried, where nothing is left out but these: `ACCOUNTS_FAULT_STEP` of the environment, else all.
    public static let faultStep = ProcessInfo.processInfo.environment["ACCOUNTS_FAULT_STEP"].flatMap { Int($0) } ?? 1

    /// The sanitizer that the tests run under, as the environment has it in `ACCOUNTS_SANITIZER`.
    private static let sanitizer = ProcessInfo.processInfo.environment["ACCOUNTS_SANITIZER"]

    /// Whether checks are brief: under a sanitizer everything takes ten times as long, and what it looks for shows in a few of many tries.
    public static let isBrief = sanitizer != nil

    /// Whether the tests run under the thread sanitizer, which what has one thread only keeps waiting.
    public static let looksForRaces = sanitizer == "thread"

    /// How many of so many tries are made: all, or a quarter where checks are brief.
    public static func tries(_ count: Int) -> Int { isBrief ? max(1, count / 4) : count }
}
