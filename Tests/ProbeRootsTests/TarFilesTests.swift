import ProbeKit
import ProbeTestSupport
import Testing

/// A tar archive has the files that its unpacked folder has.
@Suite(.bounded) struct TarFilesTests {
    private let bench: ArchiveBench
    private var root: [UInt8] { bench.root }
    private var other: [UInt8] { bench.other }

    init() throws { bench = try ArchiveBench() }

    @Test(
        "hidden folders are passed over",
        arguments: ["tar -cf a in", "tar -cf a -C in .", "python3 -m zipfile -c a in"])
    func hidden(_ script: String) throws {
        #expect(try bench.certificates(["t/.hid/b.crt": other, "t/a.crt": root], script) == [root])
    }

    /// Returns a script that writes the archive, with the certificate `in/a.crt` at hand.
    private func written(_ lines: String) -> String {
        """
        python3 -c "import io, tarfile
        der = open('in/a.crt', 'rb').read()
        archive = tarfile.open('a', 'w', format=tarfile.GNU_FORMAT)
        def add(name, kind=tarfile.REGTYPE, bytes=b'', target=''):
            info = tarfile.TarInfo(name)
            info.type, info.size, info.linkname = kind, len(bytes), target
            archive.addfile(info, io.BytesIO(bytes))
        \(lines)
        archive.close()"
        """
    }

    @Test(
        "a name longer than systems take is a broken archive",
        arguments: ["add('a/' * 3000 + 'b.crt', bytes=der)", "add('b.crt', tarfile.SYMTYPE, target='a/' * 3000)"])
    func longName(_ line: String) throws {
        let error = try #require(throws: InputError.self) { try bench.certificates(["a.crt": root], written(line)) }
        #expect(error.message.hasSuffix("is a broken archive"), "\(error)")
    }

    @Test("a name as long as systems take is one like others") func longestName() throws {
        let line = "add('a/' * 2000 + 'b.crt', bytes=der)"
        #expect(try bench.certificates(["a.crt": root], written(line)) == [root])
    }

    /// The first has links whose path grows with each, the second many long paths to follow, the third many long names.
    @Test(
        "an archive of a few bytes packed costs little",
        arguments: [
            (
                """
                for k in range(10): add(f'L{k}', tarfile.SYMTYPE, target=f'L{k + 1}/' + 't/' * 2000 + 't')
                for k in range(40): add(f'x{k}.crt', tarfile.SYMTYPE, target='L0/y')
                """, "x0.crt is a link to L0/y, which leads to no file in it"
            ),
            (
                """
                add('L0', tarfile.SYMTYPE, target='t/' * 2000 + 't')
                add('t/' * 2000 + 't/a.crt', bytes=der)
                for k in range(1000): add(f'x{k}.crt', tarfile.SYMTYPE, target='L0/a.crt')
                """, "has paths and links that take too long to follow"
            ),
            (
                "for k in range(1000): add(f'{k}/' + 'a/' * 2000 + 'b.crt')",
                "has paths and links that take too long to follow"
            ),
        ])
    func work(_ lines: String, _ words: String) throws {
        let error = try #require(throws: InputError.self) { try bench.certificates(["a.crt": root], written(lines)) }
        #expect(error.message.hasSuffix(words), "\(error)")
    }

    @Test("a file that was added anew is the newer one") func sameName() throws {
        let script = "tar -cf a in/a.crt; cp in/b.bin in/a.crt; tar -rf a in/a.crt"
        #expect(try bench.certificates(["a.crt": root, "b.bin": other], script) == [other])
    }

    /// GNU tar writes through a link within its folder, and not through others; bsdtar through none.
    @Test(
        "a file that programs unpack to different places is refused",
        arguments: [
            ("add('d', tarfile.SYMTYPE, target='t'); add('d/a.crt', bytes=der)", "d/a.crt below a link or a file"),
            ("add('d', bytes=der); add('d/a.crt', bytes=der)", "d/a.crt below a link or a file"),
            ("add('d/a.crt', bytes=der); add('d', tarfile.SYMTYPE, target='t')", "d in place of a folder"),
            ("add('d/a.crt', bytes=der); add('d', bytes=der)", "d in place of a folder"),
            (
                "add('d', tarfile.SYMTYPE, target='t'); add('d/../a.crt', bytes=der)",
                "d/../a.crt below a link or a file"
            ),
        ])
    func ambiguous(_ line: String, _ words: String) throws {
        let error = try #require(throws: InputError.self) { try bench.certificates(["a.crt": root], written(line)) }
        #expect(error.message.contains("has \(words), which programs unpack in different ways"), "\(error)")
    }

    @Test("a folder may be written as a file whose name ends with a slash") func oldFolder() throws {
        #expect(try bench.certificates(["a.crt": root], written("add('d/'); add('d/a.crt', bytes=der)")) == [root])
    }

    @Test(
        "a file in parts is refused",
        arguments: ["info.type = tarfile.GNUTYPE_SPARSE", "info.pax_headers = {'GNU.sparse.major': '1'}"])
    func inParts(_ change: String) throws {
        let script = """
            python3 -c "import tarfile
            archive = tarfile.open('a', 'w', format=tarfile.PAX_FORMAT)
            archive.add('in/a.crt')
            info = tarfile.TarInfo('in/b.crt')
            \(change)
            archive.addfile(info)
            archive.close()"
            """
        let error = try #require(throws: InputError.self) { try bench.certificates(["a.crt": root], script) }
        #expect(error.message.contains("has in/b.crt in parts"), "\(error)")
    }
}
