// swift-tools-version: 6.2
import PackageDescription

/// For what ours is held against, the same work in C. Only a package that nobody depends on may set such flags.
let baselineFlags: [CSetting] = [.unsafeFlags(["-O3", "-std=c11", "-Wall", "-Wextra", "-Werror"])]

let package = Package(
    name: "Benchmarks",
    dependencies: [.package(name: "AccountStore", path: "..")],
    targets: [
        .systemLibrary(name: "CInstruments"),
        .target(name: "CBaselines", cSettings: baselineFlags),
        .target(
            name: "CStoreBaselines",
            dependencies: ["CBaselines"],
            cSettings: baselineFlags,
            linkerSettings: [.linkedLibrary("sqlite3")]
        ),
        .executableTarget(
            name: "benchmarks",
            dependencies: [
                "CBaselines",
                "CInstruments",
                "CStoreBaselines",
                .product(name: "AccountStorage", package: "AccountStore"),
                .product(name: "KeyValueCoding", package: "AccountStore"),
                .product(name: "KeyedArchive", package: "AccountStore"),
                .product(name: "SQLiteBinding", package: "AccountStore"),
            ],
            swiftSettings: [.swiftLanguageMode(.v6), .treatAllWarnings(as: .error)]
        ),
    ]
)
