// swift-tools-version: 6.2
import PackageDescription

/// The legacy app's side of an archive, on Foundation's own archivers. A package of its own, since nothing else here may
/// need Foundation.
let package = Package(
    name: "LegacyApp",
    targets: [
        .executableTarget(
            name: "LegacyApp",
            swiftSettings: [.swiftLanguageMode(.v6), .treatAllWarnings(as: .error)]
        )
    ]
)
