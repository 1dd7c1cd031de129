// swift-tools-version: 6.2
import PackageDescription

/// What every Swift target here is compiled with.
let strict: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .treatAllWarnings(as: .error),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
]

/// The same, and every use of an unsafe construct has to be marked; for targets that touch pointers.
let strictMemory: [SwiftSetting] = strict + [.strictMemorySafety()]

let package = Package(
    name: "AccountStore",
    products: [
        .library(name: "AccountStorage", targets: ["AccountStorage"]),
        .library(name: "KeyedArchive", targets: ["KeyedArchive"]),
        .library(name: "KeyValueCoding", targets: ["KeyValueCoding"]),
        .library(name: "SQLiteBinding", targets: ["SQLiteBinding"]),
        .executable(name: "accounts", targets: ["accounts"]),
    ],
    targets: [
        .systemLibrary(
            name: "CSystemSQLite",
            pkgConfig: "sqlite3",
            providers: [.apt(["libsqlite3-dev"])]
        ),
        .systemLibrary(name: "CSystemFiles"),
        .target(name: "SQLiteBinding", dependencies: ["CSystemSQLite"], swiftSettings: strictMemory),
        .target(name: "KeyValueCoding", swiftSettings: strictMemory),
        // A module of its own, since only what is public there is specialised in others, which makes it ten times as fast.
        .target(name: "ConcurrentTable", swiftSettings: strictMemory),
        .target(
            name: "KeyedArchive",
            dependencies: ["ConcurrentTable", "KeyValueCoding"],
            swiftSettings: strictMemory
        ),
        .target(
            name: "Schema",
            dependencies: ["SQLiteBinding"],
            // `Migrations` is a link to the folder of that name at the top, which SwiftPM would not reach otherwise.
            resources: [.embedInCode("Migrations/SQLite")],
            swiftSettings: strict
        ),
        .testTarget(
            name: "SchemaTests",
            dependencies: ["Schema", "SQLiteBinding", "TestSupport"],
            swiftSettings: strict
        ),
        .target(
            name: "AccountStorage",
            dependencies: [
                "ConcurrentTable", "CSystemFiles", "KeyValueCoding", "KeyedArchive", "SQLiteBinding", "Schema",
            ],
            swiftSettings: strictMemory
        ),
        .testTarget(
            name: "AccountStorageTests",
            dependencies: [
                "AccountStorage", "KeyValueCoding", "KeyedArchive", "SQLiteBinding", "Schema", "StoreWorker",
                "TestSupport",
            ],
            swiftSettings: strict
        ),
        .target(name: "ArgumentParsing", swiftSettings: strict),
        .target(
            name: "AccountsCommand",
            dependencies: ["AccountStorage", "ArgumentParsing", "KeyedArchive", "KeyValueCoding", "SQLiteBinding"],
            swiftSettings: strict
        ),
        .testTarget(
            name: "KeyedArchiveTests",
            dependencies: ["KeyedArchive", "TestSupport"],
            exclude: ["Fixtures"],
            swiftSettings: strict
        ),
        .executableTarget(
            name: "accounts",
            dependencies: ["AccountsCommand", "ArgumentParsing"],
            swiftSettings: strict
        ),
        .testTarget(
            name: "AccountsCommandTests",
            dependencies: [
                "accounts", "AccountsCommand", "AccountStorage", "ArgumentParsing", "KeyedArchive", "KeyValueCoding",
                "SQLiteBinding", "TestSupport",
            ],
            swiftSettings: strict
        ),
        .testTarget(
            name: "ArgumentParsingTests",
            dependencies: ["ArgumentParsing", "TestSupport"],
            swiftSettings: strict
        ),
        .testTarget(
            name: "KeyValueCodingTests",
            dependencies: ["KeyValueCoding", "TestSupport"],
            swiftSettings: strict
        ),
        .testTarget(name: "ConcurrentTableTests", dependencies: ["ConcurrentTable"], swiftSettings: strict),
        .executableTarget(
            name: "StoreWorker",
            dependencies: ["AccountStorage", "CFaultyFiles", "SQLiteBinding", "Schema"],
            path: "Tests/StoreWorker",
            swiftSettings: strict
        ),
        .target(name: "CFaultyFiles", dependencies: ["CSystemSQLite"], path: "Tests/CFaultyFiles"),
        .target(
            name: "TestSupport",
            dependencies: ["CFaultyFiles", "SQLiteBinding"],
            path: "Tests/TestSupport",
            swiftSettings: strict
        ),
        .testTarget(name: "SQLiteBindingTests", dependencies: ["SQLiteBinding", "TestSupport"], swiftSettings: strict),
    ]
)
