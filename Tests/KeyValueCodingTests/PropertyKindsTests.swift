import FoundationEssentials
import KeyValueCoding
import Testing

@Suite("Properties of any type")
struct PropertyKindsTests {
    static let full: [String: Value] = [
        "id": "1", "name": "n", "nickname": "k", "seen": .date(Date(timeIntervalSinceReferenceDate: 0.1)),
        "made": .date(Date(timeIntervalSinceReferenceDate: 5)), "count": 3, "level": -128, "port": "65535",
        "ratio": 0.5,
        "isActive": true, "mask": 18_446_744_073_709_551_615, "key": .data([0, 255]), "note": [1, "two", nil],
        "optionalCount": 4, "optionalRatio": 2, "optionalFlag": false, "optionalKey": .data([]), "platform": "tablet",
        "serial": "18446744073709551615", "wide": -170_141_183_460_469_231_731_687_303_715_884_105_728,
    ]

    @Test("each kind is filled from a dictionary and gives its value back")
    func everyKind() throws {
        let device = try Device(dictionary: Self.full)
        #expect(device.id == 1)
        #expect(device.level == -128)
        #expect(device.port == 65_535)
        #expect(device.mask == .max)
        #expect(device.key == [0, 255])
        #expect(device.note == [1, "two", nil])
        #expect(device.optionalRatio == 2.0)
        #expect(device.optionalFlag == false)
        #expect(device.platform == .tablet)
        #expect(device.serial.number == .max)
        #expect(device.wide == .min)
        let back = device.dictionaryRepresentation
        #expect(Set(back.keys) == Set(Self.full.keys))
        #expect(back["mask"] == .wideInteger(18_446_744_073_709_551_615))
        #expect(try Device(dictionary: back) == device)
    }

    @Test("null clears each optional and is refused by each other property but a value")
    func null() throws {
        for property in Device.properties.properties {
            var device = try Device(dictionary: Self.full)
            let error = failure { () throws(MappingError) in try property.set(nil, in: &device) }
            let takesNull = property.key.hasPrefix("optional") || ["nickname", "seen", "note"].contains(property.key)
            #expect((error == nil) == takesNull, "\(property)")
            #expect(error == nil || error?.code == .nullValue)
            if takesNull { #expect(property.value(in: device) == nil) }
        }
    }

    @Test("properties of the usual types have typed accessors, which need no value")
    func accessors() throws {
        var device = Device()
        for property in Device.properties.properties {
            switch property.accessor {
            case .integer(let get, let set):
                set(&device, 7)
                #expect(get(device) == 7 && property.key == "id")
            case .text(let get, let set):
                set(&device, "x")
                #expect(get(device) == "x" && property.key == "name")
            case .optionalText(let get, let set):
                set(&device, "y")
                #expect(get(device) == "y" && property.key == "nickname")
            case .optionalDate(let get, let set):
                set(&device, device.made)
                #expect(get(device) == device.made && property.key == "seen")
            case .value(let get, _):
                #expect(get(device) == property.value(in: device))
            }
        }
    }

    @Test("a raw value that stands for nothing is out of range")
    func rawValue() {
        var device = Device()
        let error = failure { () throws(MappingError) in try device.setValue("watch", forKey: "platform") }
        #expect(error?.code == .outOfRange)
        #expect(device.platform == .phone)
    }

    @Test("a table names each stored property once")
    func tablesMatch() {
        #expect(Account.properties.mismatch(with: Account()) == nil)
        #expect(Device.properties.mismatch(with: Device()) == nil)
    }

    @Test("a property that the table lacks, or has twice, is found")
    func tablesMismatch() {
        let short = PropertyTable<Account>(Property("uid", \.uid))
        #expect(short.mismatch(with: Account())?.contains("accessToken") == true)
        let twice = PropertyTable<Account>(Property("uid", \.uid), Property("id", \.uid))
        #expect(twice.mismatch(with: Account())?.contains("one property") == true)
    }

    @Test("a key is found by text and by bytes")
    func index() {
        let table = Account.properties
        for (index, key) in table.keys.enumerated() {
            #expect(table.index(ofKey: key) == index)
            #expect(table.index(ofKey: Array(key.utf8).span) == index)
            #expect(Array(key.utf8).withUnsafeBytes { table.index(ofKey: $0) } == index)
        }
        for key in ["", "u", "uidd", "UID", "access_toke"] {
            #expect(table.index(ofKey: key) == nil)
            #expect(table.index(ofKey: Array(key.utf8).span) == nil)
            #expect(Array(key.utf8).withUnsafeBytes { table.index(ofKey: $0) } == nil)
        }
        #expect(table.index(ofKey: UnsafeRawBufferPointer(start: nil, count: 0)) == nil)
    }

    @Test("two properties of one key stop the program")
    func duplicateKey() async {
        await #expect(processExitsWith: .failure) {
            _ = PropertyTable<Account>(Property("uid", \.uid), Property("uid", \.expiresIn))
        }
    }
}
