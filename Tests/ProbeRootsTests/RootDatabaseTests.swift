import Foundation
import ProbeKit
import ProbeTrust
import Testing

@testable import ProbeRoots

@Suite struct RootStoreNameTests {
    @Test(arguments: [
        ("mozilla", nil), ("mozilla@2021", "2021-12-31"), ("mozilla@2021-05", "2021-05-31"),
        ("debian-12@2021-05-30", "2021-05-30"),
    ])
    func aPeriodMeansItsLastDay(text: String, last: String?) throws {
        let name = try RootStoreName(text)
        #expect(name.lastDay == last)
        #expect(name.description == text)
    }

    @Test(arguments: [
        "", "Mozilla", "a b", "../etc", "mozilla@", "mozilla@21", "mozilla@2021-13", "mozilla@2021-5",
        "mozilla@2021-05-32", "mozilla@2026-02-30", "mozilla@2025-02-29", "mozilla@2021-06-31",
        "a@2021@2022", "mozilla@2021-05-30-1",
    ])
    func anythingElseIsRefused(text: String) {
        #expect(throws: InputError.self) { try RootStoreName(text) }
    }
}

@Suite struct RootDatabaseTests {
    /// Three certificates, of which each store has others on other days.
    private static let small = RootDatabase(
        text: Array(
            """
            probe-roots 1
            snapshot\ta\t2020-01-01\tMPL-2.0\tone 1
            snapshot\ta\t2020-06-01\tMPL-2.0\tone 2
            snapshot\ta\t2021-01-01\tMPL-2.0\tone 3
            snapshot\taa\t2020-03-01\tMIT\ttwo 1
            certificate\ta:0-1\tAQ==
            certificate\ta:1-2 aa:0\tAg==
            certificate\ta:0,2\tAw==

            """.utf8))

    @Test(arguments: [
        ("a@2020-01-01", "2020-01-01", [1, 3]), ("a@2020-05-31", "2020-01-01", [1, 3]),
        ("a@2020-06", "2020-06-01", [1, 2]), ("a@2020", "2020-06-01", [1, 2]), ("a", "2021-01-01", [2, 3]),
        ("a@2040", "2021-01-01", [2, 3]), ("aa", "2020-03-01", [2]),
    ])
    func aDayMeansTheSnapshotBeforeIt(name: String, day: String, content: [UInt8]) throws {
        let snapshot = try Self.small.snapshot(RootStoreName(name))
        #expect(snapshot.day == day)
        #expect(snapshot.certificates == content.map { [$0] })
        #expect(snapshot.anchors.name == "\(snapshot.store)@\(day)")
    }

    @Test(arguments: [("a@2019", "2020-01-01"), ("b", "choose a, aa")])
    func nothingIsMadeUp(name: String, words: String) throws {
        let name = try RootStoreName(name)
        let error = #expect(throws: InputError.self) { try Self.small.snapshot(name) }
        let text = [error?.message, error?.remedy].compactMap(\.self).joined(separator: " ")
        #expect(text.contains(words))
    }
}

extension RootDatabaseTests {
    @Test(arguments: [
        ([1], "a 2020-01-01 to 2020-06-01"), ([3], "a 2020-01-01 to 2020-01-01, a 2021-01-01 on"),
        ([2], "a 2020-06-01 on, aa 2020-03-01 on"), ([1, 3], "a 2020-01-01 on"), ([9], ""), ([], ""),
    ])
    func theDaysOfCertificatesAreRuns(certificates: [UInt8], text: String) throws {
        let days = try Self.small.days(having: Set(certificates.map { [$0] }))
        #expect(days.map(\.store) == ["a", "aa"], "a store without one is named too")
        let runs = days.flatMap { day in
            day.runs.map { "\(day.store) \($0.first) " + ($0.isOpen ? "on" : "to \($0.last)") }
        }
        #expect(runs.joined(separator: ", ") == text)
    }

    @Test func everyCertificateIsThereOnce() throws {
        #expect(try Set(Self.small.everyCertificate()) == [[1], [2], [3]])
        #expect(try Self.small.everyCertificate().count == 3)
    }
}

/// The stores that are shipped, held against the published record.
@Suite struct ShippedRootsTests {
    private static let shipped = RootDatabase.standard(own: nil)
    private static let dstRootX3 = "0687260331a72403d909f105e69bcf0d32e1bd2493ffc6d9206d11bcd6770739"
    private static let isrgRootX1 = "96bcec06264976f37460779acf28c5a7cfe8a3c0aae11a8ffcee05c0bddf08c6"

    private static func has(_ digest: String, _ store: String) throws -> Bool {
        try shipped.snapshot(RootStoreName(store)).certificates.contains { der in
            RootDigest.hex(der) == digest
        }
    }

    @Test func everySnapshotSaysWhereItWasRead() throws {
        let snapshots = try Self.shipped.snapshots()
        #expect(
            Set(snapshots.map(\.store)) == [
                "android", "apple", "debian-12", "java", "microsoft", "mozilla", "oracle-java",
            ])
        #expect(snapshots.allSatisfy { RootStoreName.isDay($0.day) && $0.day.utf8.count == 10 })
        #expect(snapshots.allSatisfy { !$0.licence.isEmpty && $0.origin.contains(" ") })
        #expect(snapshots.count { $0.store == "mozilla" } >= 40)
        #expect(snapshots.first { $0.store == "mozilla" }?.day == "2015-04-28")
    }

    @Test func everyCertificateOfEverySnapshotCanBeRead() throws {
        for heading in try Self.shipped.snapshots() {
            let certificates = try Self.shipped.snapshot(RootStoreName("\(heading.store)@\(heading.day)")).certificates
            #expect(certificates.count > 50, "\(heading)")
            #expect(Set(certificates).count == certificates.count)
            // The newest of a store has nothing that the earlier ones do not show too.
            guard try heading == Self.shipped.snapshots().last(where: { $0.store == heading.store }) else { continue }
            for der in certificates { _ = try CertificateDetails(certificate: der) }
        }
    }

    /// Let's Encrypt's root came in 2016 and after; the one that had signed it across expired in September 2021 and went.
    @Test(arguments: [
        ("mozilla@2015", true, false), ("mozilla@2021-05-30", true, true), ("mozilla", false, true),
        ("android@2016", true, false), ("android", false, true), ("apple", false, true),
    ])
    func theRecordIsKept(store: String, dst: Bool, isrg: Bool) throws {
        #expect(try Self.has(Self.dstRootX3, store) == dst)
        #expect(try Self.has(Self.isrgRootX1, store) == isrg)
    }
}

extension RootDatabaseTests {
    @Test(arguments: [
        ("all", "all", ["a@2021-01-01", "aa@2020-03-01"], [2, 3]),
        ("all@2020-05", "all@2020-05", ["a@2020-01-01", "aa@2020-03-01"], [1, 3, 2]),
        ("all@2020-02", "all@2020-02 without aa", ["a@2020-01-01"], [1, 3]),
    ])
    func allMeansEveryStoreOfTheDay(name: String, title: String, stores: [String], content: [UInt8]) throws {
        let anchors = try Self.small.anchors(RootStoreName(name))
        #expect(anchors.name == title && anchors.stores.map(\.name) == stores)
        #expect(anchors.certificates == content.map { [$0] } && anchors.isSystem)
    }

    @Test func noStoreOfADayIsAnError() throws {
        let error = #expect(throws: InputError.self) { try Self.small.anchors(RootStoreName("all@2019")) }
        #expect(error?.remedy.contains("all@2020-01-01") == true)
        #expect(try Self.small.anchors(RootStoreName("a")).stores.isEmpty)
    }

    @Test func daysAreThoseWithoutOtherCertificates() throws {
        let runs = try Self.small.days(having: [[2]], without: [[3]]).map { ($0.store, $0.runs.map(\.first)) }
        #expect(runs.map(\.0) == ["a", "aa"] && runs.map(\.1) == [["2020-06-01"], ["2020-03-01"]])
    }
}
