import ProbeKit

/// The steps of one protocol's dialogue: what regular servers send, as their RFCs and manuals print it.
struct LabDialogueScript {
    typealias Step = LabDialogue.Step

    /// The dialogue that ends with the go-ahead.
    let regular: [Step]
    /// The dialogue of a server without TLS.
    let offersNone: [Step]
    /// The dialogue of a server that offers it and says no.
    let refuses: [Step]

    init(_ known: StartTLS, name: String) {
        switch known {
        case .smtp: self = .mail("EHLO")
        case .lmtp: self = .mail("LHLO")
        case .imap: self = .imap
        case .pop3:
            self = .asked(greeting: "+OK pop.test ready", "STLS", yes: "+OK begin TLS", no: "-ERR not supported")
        case .ftp:
            self = .asked(
                greeting: "220-ftp.test\r\n no number here\r\n220 ready", "AUTH TLS", yes: "234 go ahead",
                no: "500 what is that")
        case .nntp:
            self = .asked(
                greeting: "201 news.test ready", "STARTTLS", yes: "382 continue", no: "580 can't do that")
        case .sieve: self = .sieve
        case .xmppClient: self = .xmpp("jabber:client", name)
        case .xmppServer: self = .xmpp("jabber:server", name)
        case .ldap: self = .ldap
        case .postgres: self = .postgres
        case .mysql: self = .mysql
        case .rdp: self = .rdp
        }
    }

    private init(regular: [Step], offersNone: [Step], refuses: [Step]) {
        self.regular = regular
        self.offersNone = offersNone
        self.refuses = refuses
    }

    /// A dialogue of a beginning that differs by the offer, a request and an answer.
    private init(_ begin: (_ offers: Bool) -> [Step], _ request: [Step], yes: [UInt8], no: [UInt8]) {
        regular = begin(true) + request + [.says(yes)]
        offersNone = begin(false) + [.hears([0])]
        refuses = begin(true) + request + [.says(no), .hears([0])]
    }

    private static func asked(greeting: String, _ request: String, yes: String, no: String) -> Self {
        let script = Self(
            { _ in [.says(line(greeting))] }, [.hears(line(request))], yes: line(yes), no: line(no))
        return Self(regular: script.regular, offersNone: script.refuses, refuses: script.refuses)
    }

    private static func mail(_ hello: String) -> Self {
        Self(
            { offers in
                [
                    .says(line("220 mail.test ready")), .hears(line("\(hello) probe.invalid")),
                    .says(line("250-mail.test\r\n250-SIZE 1000\(offers ? "\r\n250-STARTTLS" : "")\r\n250 HELP")),
                ]
            }, [.hears(line("STARTTLS"))], yes: line("220 2.0.0 go ahead"), no: line("454 4.7.0 not now"))
    }

    private static let imap = Self(
        { offers in
            [
                .says(line("* OK [CAPABILITY IMAP4rev1] imap.test ready")), .hears(line("a1 CAPABILITY")),
                .says(line("* CAPABILITY IMAP4rev1\(offers ? " STARTTLS" : "") LOGINDISABLED\r\na1 OK done")),
            ]
        }, [.hears(line("a2 STARTTLS"))], yes: line("a2 OK begin TLS"), no: line("a2 BAD not now"))

    private static let sieve = Self(
        { offers in
            [.says(line("\"IMPLEMENTATION\" \"lab\"\r\n\(offers ? "\"STARTTLS\"\r\n" : "")OK \"ready\""))]
        }, [.hears(line("STARTTLS"))], yes: line("OK"), no: line("NO \"not now\""))

    private static func xmpp(_ namespace: String, _ name: String) -> Self {
        let tls = "urn:ietf:params:xml:ns:xmpp-tls"
        let header =
            "<?xml version='1.0'?><stream:stream to='\(name)' version='1.0' xmlns='\(namespace)' "
            + "xmlns:stream='http://etherx.jabber.org/streams'>"
        return Self(
            { offers in
                [
                    .hears(Array(header.utf8)),
                    .says(
                        Array(
                            """
                            <?xml version='1.0'?>
                            <stream:stream from='\(name)' id='a>b' version='1.0' xmlns='\(namespace)' \
                            xmlns:stream='http://etherx.jabber.org/streams'><stream:features>\
                            \(offers ? "<starttls xmlns='\(tls)'><required/></starttls>" : "")\
                            <mechanisms xmlns='urn:ietf:params:xml:ns:xmpp-sasl'><mechanism>PLAIN</mechanism>\
                            </mechanisms></stream:features>
                            """.utf8)),
                ]
            }, [.hears(Array("<starttls xmlns='\(tls)'/>".utf8))], yes: Array("<proceed xmlns='\(tls)'/>".utf8),
            no: Array("<failure xmlns='\(tls)'/></stream:stream>".utf8))
    }

    private static let ldap: Self = {
        let name = Array("1.3.6.1.4.1.1466.20037".utf8)
        let request: [UInt8] = [0x30, 0x1d, 0x02, 0x01, 0x01, 0x77, 0x18, 0x80, 0x16] + name
        // The length of the outer sequence in its long form, as some servers write it.
        let yes: [UInt8] = [0x30, 0x84, 0, 0, 0, 0x0c, 0x02, 1, 1, 0x78, 7, 0x0a, 1, 0, 0x04, 0, 0x04, 0]
        let words = Array("unavailable".utf8)
        let size = UInt8(words.count)
        let no: [UInt8] =
            [0x30, 12 + size, 0x02, 1, 1, 0x78, 7 + size, 0x0a, 1, 52, 0x04, 0, 0x04, size] + words
        let script = Self({ _ in [] }, [.hears(request)], yes: yes, no: no)
        return Self(regular: script.regular, offersNone: script.refuses, refuses: script.refuses)
    }()

    private static let postgres: Self = {
        let request: [UInt8] = [0, 0, 0, 8, 4, 0xd2, 0x16, 0x2f]
        func answered(_ text: String) -> [Step] { [.hears(request), .says(Array(text.utf8))] }
        return Self(
            regular: answered("S"), offersNone: answered("N") + [.hears([0])],
            refuses: answered("EFATAL: too many connections\0") + [.hears([0])])
    }()

    private static let mysql: Self = {
        func packet(_ payload: [UInt8]) -> [UInt8] { [UInt8(payload.count), 0, 0, 0] + payload }
        func greeting(_ flags: UInt8) -> [UInt8] {
            packet(
                [10] + Array("8.0.0-lab\0".utf8) + [1, 0, 0, 0] + Array("saltsalt".utf8) + [0, 0xff, flags, 33, 2, 0]
                    + [0xff, 0xc1, 21] + [UInt8](repeating: 0, count: 10) + Array("saltsaltsalt\0".utf8))
        }
        let request: [UInt8] =
            [32, 0, 0, 1, 0x01, 0x8a, 8, 0, 0, 0, 0, 1, 33] + [UInt8](repeating: 0, count: 23)
        return Self(
            regular: [.says(greeting(0xff)), .hears(request)], offersNone: [.says(greeting(0xf7)), .hears([0])],
            refuses: [.says(packet([0xff, 0x10, 0x04] + Array("Too many connections".utf8))), .hears([0])])
    }()

    private static let rdp: Self = {
        let request: [UInt8] = [3, 0, 0, 19, 14, 0xe0, 0, 0, 0, 0, 0, 1, 0, 8, 0, 3, 0, 0, 0]
        func answered(_ bytes: [UInt8]) -> [Step] { [.hears(request), .says(bytes)] }
        let confirm: [UInt8] = [0xd0, 0, 0, 0x12, 0x34, 0]
        return Self(
            regular: answered([3, 0, 0, 19, 14] + confirm + [2, 0, 8, 0, 2, 0, 0, 0]),
            offersNone: answered([3, 0, 0, 11, 6] + confirm) + [.hears([0])],
            refuses: answered([3, 0, 0, 19, 14] + confirm + [3, 0, 8, 0, 2, 0, 0, 0]) + [.hears([0])])
    }()

    private static func line(_ text: String) -> [UInt8] { Array((text + "\r\n").utf8) }
}
