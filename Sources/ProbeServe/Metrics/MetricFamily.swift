/// All samples of one metric, with what it means.
struct MetricFamily: Hashable, Codable, Sendable {
    /// The kinds that are used here.
    enum Kind: String, Codable, Sendable {
        case gauge, counter
    }

    /// One value, and the labels that tell it from the others.
    struct Sample: Hashable, Codable, Sendable {
        let labels: [Label]
        let value: Double
    }

    struct Label: Hashable, Codable, Sendable {
        let name: String
        let value: String
    }

    /// The name as it is scraped; a counter's ends with `_total`.
    let name: String
    let kind: Kind
    let help: String
    var samples: [Sample]
}

/// The metrics of one scrape, by name.
struct MetricSet: Codable, Sendable {
    private var byName: [String: MetricFamily] = [:]

    /// The families in the order of their names, as scrapers are used to them.
    var families: [MetricFamily] { byName.values.sorted { $0.name < $1.name } }

    /// Adds a sample of a gauge.
    ///
    /// - Parameters:
    ///   - help: the meaning of the metric, the same for all of its samples.
    ///   - labels: the names and values in order; those without a value are left out. Of samples with the same ones the
    ///     first counts.
    mutating func add(
        _ name: String, _ help: String, _ labels: KeyValuePairs<String, String?> = [:], value: Double
    ) {
        add(.gauge, name, help, labels, value)
    }

    /// Adds a sample of a gauge that is one or zero. Of samples with the same labels zero counts: what fails once does
    /// not hold.
    mutating func add(
        _ name: String, _ help: String, _ labels: KeyValuePairs<String, String?> = [:], holds: Bool
    ) {
        add(.gauge, name, help, labels, holds ? 1 : 0, keeping: min)
    }

    /// Adds a sample of a counter.
    mutating func add(
        counter name: String, _ help: String, _ labels: KeyValuePairs<String, String?> = [:], value: Double
    ) {
        add(.counter, name, help, labels, value)
    }

    /// Adds a sample of a counter whose labels were chosen before.
    mutating func add(counter name: String, _ help: String, labels: [MetricFamily.Label], value: Double) {
        add(.counter, name, help, MetricFamily.Sample(labels: labels, value: value))
    }

    private mutating func add(
        _ kind: MetricFamily.Kind, _ name: String, _ help: String, _ labels: KeyValuePairs<String, String?>,
        _ value: Double, keeping choice: (Double, Double) -> Double = { first, _ in first }
    ) {
        let labels = labels.compactMap { name, value in value.map { MetricFamily.Label(name: name, value: $0) } }
        add(kind, name, help, MetricFamily.Sample(labels: labels, value: value), keeping: choice)
    }

    /// - Parameter choice: picks of two values with the same labels, the earlier one first: two such samples would make
    ///   the whole scrape invalid.
    private mutating func add(
        _ kind: MetricFamily.Kind, _ name: String, _ help: String, _ sample: MetricFamily.Sample,
        keeping choice: (Double, Double) -> Double = { first, _ in first }
    ) {
        var family = byName[name] ?? MetricFamily(name: name, kind: kind, help: help, samples: [])
        if let index = family.samples.firstIndex(where: { $0.labels == sample.labels }) {
            let value = choice(family.samples[index].value, sample.value)
            family.samples[index] = MetricFamily.Sample(labels: sample.labels, value: value)
        } else {
            family.samples.append(sample)
        }
        byName[name] = family
    }
}
