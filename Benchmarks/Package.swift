// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "Benchmarks",
    dependencies: [.package(name: "AccountStore", path: "..")],
    targets: [
        // What ours is held against: the same work in C. Only a package that nobody depends on may set such flags.
        .target(
            name: "CBaselines",
            cSettings: [.unsafeFlags(["-O3", "-std=c11", "-Wall", "-Wextra", "-Werror"])]
        ),
        .executableTarget(
            name: "benchmarks",
            dependencies: [
                "CBaselines",
                .product(name: "AccountStorage", package: "AccountStore"),
                .product(name: "KeyValueCoding", package: "AccountStore"),
                .product(name: "KeyedArchive", package: "AccountStore"),
            ],
            swiftSettings: [.swiftLanguageMode(.v6), .treatAllWarnings(as: .error)]
        ),
    ]
)
