import ArgumentParser
import Testing

@testable import ProbeCommand

/// Commands share options; help describes only those that a command has, and only what it can do with them.
@Suite struct SharedHelpTests {
    @Test(arguments: ["models", "scan"]) func noProfileIsOfferedWithoutTheOption(command: String) throws {
        let help = try Self.help(command)
        #expect(!help.contains("\n  --profile <") && !help.contains("profile"), "\(help)")
        #expect(help.contains("The system's when not given"))
        #expect(try Self.help("check").contains("The profile's or the system's when not given"))
    }

    @Test(arguments: ["verify", "pins", "profile lint", "profile forecast"])
    func noStoreIsDemandedWhereNoneIsJudged(command: String) throws {
        let help = try Self.help(command)
        #expect(help.contains("--roots <name[@day]>") && !help.contains("demand that all do"), "\(help)")
        #expect(try Self.help("check").contains("demand that all do"))
    }

    /// The same options in another setting have the values that were given.
    @Test func valuesGoFromOneSettingToTheOther() throws {
        let pin = "sha256/" + String(repeating: "0123456789", count: 4) + "010="
        let given = try CheckOptions.parse([
            "a.test", "--dns-server", "tls://b.test", "--dns-pin", pin, "--dnssec-anchor", "c", "--dns-ca", "d",
            "--model", "e",
            "--model-host", "f.test", "--dnssec", "require", "--edns-size", "512", "--txt-strings", "separate",
        ])
        let options = given.dns
        #expect(options.dnsServer == ["tls://b.test"] && options.dnsPin.count == 1 && options.dnssecAnchor == ["c"])
        #expect(options.dnsCa == "d" && options.model != nil && options.dnssec != nil && options.dnsConnect == nil)
        #expect(options.ednsSize != nil && options.txtStrings != nil && options.optionsGiven.count == 7)
        #expect(try CheckOptions.parse(["a.test"]).dns.optionsGiven.isEmpty)
    }

    private static func help(_ command: String) throws -> String {
        var type: any ParsableCommand.Type = RootCommand.self
        for name in command.split(separator: " ") {
            type = try #require(type.configuration.subcommands.first { $0._commandName == name })
        }
        return RootCommand.helpMessage(for: type, columns: 10_000)
    }
}
