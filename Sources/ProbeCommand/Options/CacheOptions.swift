import ArgumentParser
import ProbeKit
import ProbePlatform
import ProbeRun
import ProbeStore

/// The place of the cache.
struct CachePlaceOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            """
            Remember listed models here, and do not ask for them again within their time; default is a file in the user's \
            cache folder.
            """, valueName: "file|folder|default"), completion: .file())
    var cache: String?

    @Flag(help: "Ask everything anew and remember nothing, whatever --cache says.")
    var noCache = false
}

/// The lifetime of what is remembered.
struct CacheLifetimeOption<Setting: OptionSetting>: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "For how long a listed model is remembered; an hour \(Setting.beside("where a profile does not say otherwise", else: "when not given")).",
            valueName: "seconds"), transform: OptionNumber.whole(0...CacheLifetime.longest.seconds, "seconds"))
    var cacheLifetime: Int?
}

/// The cache of successes between runs. A check that gates a release should not use it: without these options every
/// check asks the servers.
struct CacheOptions: ParsableArguments {
    @OptionGroup var place: CachePlaceOptions
    @OptionGroup var lifetimeOption: CacheLifetimeOption<BesideProfile>

    var cache: String? { place.cache }
    var noCache: Bool { place.noCache }
    var cacheLifetime: Int? { lifetimeOption.cacheLifetime }

    /// Those of these options that were given.
    var given: [String] {
        [("--cache", cache != nil), ("--no-cache", noCache), ("--cache-lifetime", cacheLifetime != nil)]
            .filter(\.1).map(\.0)
    }

    /// Rejects a cache where no model is looked for, which is all that is remembered.
    func refuse(unless isAsked: Bool) throws(InputError) {
        guard cache != nil, !noCache, !isAsked else { return }
        throw InputError(
            "--cache is given and --model is not", remedy: "say which model to look for with --model NAME")
    }

    /// Returns the store; nil if nothing is remembered.
    ///
    /// - Parameter instant: the value of `--at`.
    func store(clock instant: Given<Date>?) throws(InputError) -> SuccessStore? {
        guard let cache, !noCache else { return nil }
        guard instant == nil else {
            throw InputError(
                "--cache is of no use with --at: what is seen now must not count from another instant on",
                remedy: "leave out one of them")
        }
        return try Self.store(cache)
    }

    /// Returns the store that an option names: `--cache`, or `--` and another word for it.
    static func store(_ name: String, as noun: String = "cache") throws(InputError) -> SuccessStore {
        let path = try path(name, as: noun)
        do throws(InputError) {
            return try SuccessStore(path) { Terminal.printError("probe: \($0)") }
        } catch {
            throw InputError("--\(noun): \(error.message)", remedy: error.remedy, source: error.source)
        }
    }

    /// Returns the file that such an option names.
    static func path(_ name: String, as noun: String = "cache") throws(InputError) -> StorePath {
        guard !name.isEmpty else { throw InputError("--\(noun) is empty", remedy: "name a file, or say default") }
        guard name != "-" else {
            throw InputError("--\(noun) - is not a file", remedy: "name a file or a folder, or say default")
        }
        guard name == "default" else { return StorePath(name).called(noun) }
        do throws(InputError) {
            return try StorePath.standard().called(noun)
        } catch {
            throw InputError(error.message, remedy: "name a file with --\(noun) FILE", source: error.source)
        }
    }

    func lifetime() throws(InputError) -> CacheLifetime? { try lifetime(cacheLifetime, option: "--cache-lifetime") }

    /// Returns the lifetime that an option gives; nil if it is not given.
    func lifetime(_ seconds: Int?, option: String) throws(InputError) -> CacheLifetime? {
        guard let seconds else { return nil }
        guard cache != nil else {
            throw InputError("\(option) is of no use without --cache", remedy: "say where to remember")
        }
        guard let lifetime = CacheLifetime(seconds) else {
            throw InputError(
                "\(option) \(seconds) is not a lifetime",
                remedy: "give 0 to \(CacheLifetime.longest.seconds) seconds")
        }
        return lifetime
    }
}

extension CacheOptions {
    /// Joins the parts of a command without a profile.
    init(_ place: CachePlaceOptions, _ lifetime: CacheLifetimeOption<WithoutProfile>) {
        self.init()
        self.place = place
        var own = CacheLifetimeOption<BesideProfile>()
        own.cacheLifetime = lifetime.cacheLifetime
        lifetimeOption = own
    }
}
