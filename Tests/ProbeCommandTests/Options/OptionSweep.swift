import Testing

@testable import ProbeCommand

/// One scene's options, alone, twice, and in pairs.
///
/// A run takes a tenth of a second, so many pairs share one: if it is accepted, every option in it has to show, and all
/// its pairs are tested. If it is rejected, the pairs of the option that the
/// error names are tested, and the others are tested in another run. So options that are refused alone are given
/// together, and each run is about the one that is named first.
struct OptionSweep {
    /// One option with a value, as given.
    private struct Given {
        let option: SweptOption
        let value: String?
    }

    private let scene: SweepScene
    private let stage: SweepStage
    private let options: [SweptOption]
    private let format: SweptOption?
    /// The places of the options that are refused when they are alone.
    private var refusedAlone: Set<Int> = []
    /// The pairs of which an error named both, by their places.
    private var refusedTogether: Set<[Int]> = []
    private var seen: Set<String> = []
    /// The options that were accepted with the other format too.
    private var printed: Set<String> = []
    /// The pairs that have not met, by their places.
    private var open: Set<[Int]> = []
    private(set) var runs = 0
    private(set) var combinations = 0

    /// The maximum number of options in a run.
    private static let width = 40

    init(_ scene: SweepScene, on stage: SweepStage) {
        self.scene = scene
        self.stage = stage
        format = scene.options.first { $0.name == "--format" && $0.isHonoured }
        let form = format?.name
        options = scene.options.filter { !$0.values.isEmpty && $0.name != form }
    }

    mutating func run() async throws {
        let base = try await stage.run(scene, [])
        #expect(!base.isRefused && base.code != 70, "\(base.arguments) \(base.code) \(base.errors)")
        for (place, option) in options.enumerated() {
            if option.isHonoured {
                let value = option.values[0].map { stage.text($0, of: base) }
                #expect(!option.isSeen(value, in: base), "\(option.name) is seen without it")
            }
            // If an option is honoured, the runs of the pairs show it: the profile, or the target, is in all of them.
            if !option.isHonoured, try await meet([place]).isRefused { refusedAlone.insert(place) }
            if option.values.count > 1 { try await meet(option.values.map { Given(option: option, value: $0) }) }
            combinations += option.values.count
        }
        for first in options.indices {
            for second in options.indices where first < second { open.insert([first, second]) }
        }
        combinations += open.count + (format == nil ? 0 : options.count)
        for exempt in open where scene.isExempt(options[exempt[0]].name, options[exempt[1]].name) {
            open.remove(exempt)
        }
        while let pair = open.min(by: { $0.lexicographicallyPrecedes($1) }) {
            let places = company(of: pair)
            let run = try await meet(places)
            let named = Set(places.filter { run.names(options[$0].name) })
            let before = open.count
            for first in places {
                for second in places where first < second {
                    if run.isRefused, named.isSuperset(of: [first, second]) {
                        refusedTogether.insert([first, second])
                    }
                    if !run.isRefused || named.contains(first) || named.contains(second) {
                        open.remove([first, second])
                    }
                }
            }
            // Refused for the sake of others whose pairs have met: this pair alone.
            if open.count == before, open.remove(pair) != nil, places != pair { try await meet(pair) }
        }
        // One whose pairs were all refused is shown alone.
        for (place, option) in options.enumerated() where option.isHonoured && !seen.contains(option.name) {
            try await meet([place])
        }
        for option in options where option.isHonoured {
            #expect(seen.contains(option.name), "\(scene): \(option.name) is never honoured")
        }
    }

    /// Returns the options of a run for a pair: those with which most pairs meet that have not yet. Those that are
    /// refused come along only where the run is refused for the pair's sake.
    private func company(of pair: [Int]) -> [Int] {
        var places = pair
        let isRefused = !refusedAlone.isDisjoint(with: pair)
        while places.count < Self.width {
            let candidates = options.indices.filter { place in
                !places.contains(place) && (isRefused || !refusedAlone.contains(place))
                    && !places.contains {
                        scene.isExempt(options[$0].name, options[place].name)
                            || refusedTogether.contains([min($0, place), max($0, place)])
                    }
            }
            func gain(_ place: Int) -> Int { places.count { open.contains([min($0, place), max($0, place)]) } }
            guard let best = candidates.max(by: { gain($0) < gain($1) }), gain(best) > 0 else { break }
            places.append(best)
        }
        return places.sorted()
    }

    @discardableResult
    private mutating func meet(_ places: [Int]) async throws -> SweepRun {
        try await meet(places.map { Given(option: options[$0], value: options[$0].values[0]) })
    }

    /// Runs options together: each has to be seen, or one of them refused by its name.
    @discardableResult
    private mutating func meet(_ given: [Given]) async throws -> SweepRun {
        let arguments = given.map { ($0.option.name, $0.value) }
        let run = try await stage.run(scene, arguments)
        runs += 1
        let line = run.arguments.joined(separator: " ")
        guard !run.isRefused else {
            let isNamed = given.contains { run.names($0.option.name) }
            #expect(isNamed, "refused, but not by name: \(line)\n\(run.errors)")
            return run
        }
        // A program that ends in the middle of a handshake is a fault.
        #expect(run.code != 70 || line.contains(" --plugin "), "\(line)\n\(run.errors)")
        #expect(!given.contains { $0.option.isRefused }, "not refused: \(line)")
        for item in given {
            if item.option.isSeen(item.value.map { stage.text($0, of: run) }, in: run) {
                if item.option.isHonoured { seen.insert(item.option.name) }
            } else {
                Issue.record(
                    "\(item.option.name) is ignored: \(line)\n\(run.code) \(run.output.prefix(900))\(run.errors)")
            }
        }
        let names = Set(given.map(\.option.name))
        guard let format, !printed.isSuperset(of: names) else { return run }
        printed.formUnion(names)
        // Findings are only in JSON: the exit code shows that the others count in another format too.
        let printed = try await stage.run(scene, arguments + [(format.name, format.values[0])])
        runs += 1
        #expect(printed.code == run.code, "\(printed.arguments.joined(separator: " "))")
        #expect(
            format.isSeen(format.values[0], in: printed), "--format is ignored: \(line)\n\(printed.output.prefix(300))")
        return run
    }
}
