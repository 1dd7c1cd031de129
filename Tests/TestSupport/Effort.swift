internal import Foundation

/// How much of a check is done that tries very many things.
public enum Effort {
    /// Whether the environment has `ACCOUNTS_WHOLE_CHECKS`, so that nothing is left out.
    public static let isWhole = ProcessInfo.processInfo.environment["ACCOUNTS_WHOLE_CHECKS"] != nil

    /// Whether the environment has `ACCOUNTS_BRIEF_CHECKS`. Under a sanitizer everything takes ten times as long, and what it looks for shows
    /// in a few of many tries.
    public static let isBrief = ProcessInfo.processInfo.environment["ACCOUNTS_BRIEF_CHECKS"] != nil

    /// How many of so many tries are made: all, or a quarter where checks are brief.
    public static func tries(_ count: Int) -> Int { isBrief ? max(1, count / 4) : count }
}
