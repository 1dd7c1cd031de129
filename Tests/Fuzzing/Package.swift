// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "Fuzzing",
    dependencies: [.package(name: "AccountStore", path: "../..")],
    targets: [
        .executableTarget(
            name: "ArchiveFuzzer",
            dependencies: [
                .product(name: "AccountStorage", package: "AccountStore"),
                .product(name: "KeyedArchive", package: "AccountStore"),
                .product(name: "KeyValueCoding", package: "AccountStore"),
            ],
            swiftSettings: [.swiftLanguageMode(.v6)]
        )
    ]
)
