import ProbeConformance

extension DNSPartner {
    /// The zone: lists of several sizes with `florida` last, and every shape of absence.
    static let zone: String = {
        let lists = [600, 1300, 60_000].map { size in
            record("l\(size)", LabModelList.strings(bytes: size) + ["florida"])
        }
        let many = (1...40).map { number in
            record("many", LabModelList.strings(bytes: 44) + [number == 40 ? "florida" : "other\(number)"])
        }
        return """
            $ORIGIN models.test.
            $TTL 60
            @ SOA ns hostmaster 1 3600 600 86400 60
            @ NS ns
            ns A 127.0.0.1
            simple TXT "dc,florida,tampa,atlanta"
            chunks TXT "dc," "florida"
            joined TXT "dc,flor" "ida"
            escape TXT "dc,flor\\105da"
            upper TXT "DC,FLORIDA"
            two TXT "dc"
            two TXT "florida"
            empty TXT ""
            address A 127.0.0.1
            alias CNAME simple
            gone CNAME nothing
            loop1 CNAME loop2
            loop2 CNAME loop1
            *.wild TXT "dc,florida"
            sub NS ns.sub
            ns.sub A 127.0.0.9
            \((lists + many + chain("c", of: 8) + chain("d", of: 13)).joined(separator: "\n"))

            """
    }()

    private static func record(_ name: String, _ strings: [String]) -> String {
        "\(name) TXT ( " + strings.map { "\"\($0)\"" }.joined(separator: "\n  ") + " )"
    }

    /// Aliases that lead from `c0` over `c1` and so on to `simple`.
    private static func chain(_ letter: String, of links: Int) -> [String] {
        (1...links).map { "\(letter)\($0 - 1) CNAME \($0 == links ? "simple" : "\(letter)\($0)")" }
    }
}
