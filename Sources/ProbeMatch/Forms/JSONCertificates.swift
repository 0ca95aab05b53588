import Foundation
import ProbeKit
import ProbePins

/// Certificates in JSON, wherever they stand in it: base64 of DER, PEM, entries of a log, and records that have a
/// certificate's digests under the names that our own reports give them.
enum JSONCertificates {
    /// Returns true if a buffer begins a JSON text that goes over many lines.
    static func isOneText(_ bytes: [UInt8]) -> Bool {
        guard let end = bytes.firstIndex(of: 0x0a) else { return false }
        return (try? JSONSerialization.jsonObject(with: Data(bytes[..<end]))) == nil
    }

    static func read(_ block: InputBlock) -> CertificateBatch {
        var batch = CertificateBatch()
        if block.line == 1, isOneText(block.bytes),
            let text = try? JSONSerialization.jsonObject(with: Data(block.bytes))
        {
            walk(text, .init(line: 1), &batch)
            return batch
        }
        var line = block.line
        for bytes in block.bytes.split(separator: 0x0a, omittingEmptySubsequences: false) {
            defer { line += 1 }
            guard bytes.contains(where: { ![0x20, 0x09, 0x0d].contains($0) }) else { continue }
            guard let value = try? JSONSerialization.jsonObject(with: Data(bytes)) else {
                batch.appendUndecoded(at: .init(line: line))
                continue
            }
            walk(value, .init(line: line), &batch)
        }
        return batch
    }

    private static func walk(_ value: Any, _ place: CertificateBatch.Place, _ batch: inout CertificateBatch) {
        switch value {
        case let text as String: read(text, place, &batch)
        case let list as [Any]:
            for (index, element) in list.enumerated() { walk(element, place.within("[\(index)]"), &batch) }
        case let object as [String: Any]:
            var place = place
            if let time = object["timestamp"] as? String { place.seen = (try? RFC3339.parse(time)) ?? place.seen }
            if let leaf = object["leaf_input"] as? String {
                read(leaf, object["extra_data"] as? String ?? "", place, &batch)
                return
            }
            let digests = digestKeys.compactMap { key, kind -> Pin? in
                guard let hex = object[key] as? String, let digest = Hex.decode(hex).flatMap(PinDigest.init) else {
                    return nil
                }
                return Pin(kind: kind, digest: digest)
            }
            if !digests.isEmpty { batch.append(digests, at: place) }
            for (key, element) in object.sorted(by: { $0.key < $1.key }) {
                walk(element, place.within(place.path == nil ? key : ".\(key)"), &batch)
            }
        default: break
        }
    }

    private static let digestKeys: [(String, PinKind)] = [
        ("certSHA256", .cert), ("spkiSHA256", .spki), ("rawKeySHA256", .rawkey),
    ]

    /// A log's entry. One that can't be read is reported; its certificate may be the one that is looked for.
    private static func read(
        _ leaf: String, _ extra: String, _ place: CertificateBatch.Place, _ batch: inout CertificateBatch
    ) {
        guard let input = Data(base64Encoded: leaf), let data = Data(base64Encoded: extra),
            let entry = CTEntry(leafInput: Array(input), extraData: Array(data))
        else { return batch.appendUndecoded(at: place) }
        entry.append(to: &batch, at: place)
    }

    /// Most texts are no certificates: only those that begin as one are decoded.
    private static func read(_ text: String, _ place: CertificateBatch.Place, _ batch: inout CertificateBatch) {
        if text.hasPrefix("MI") {
            guard let data = Data(base64Encoded: text) else { return }
            let der = Array(data)
            // Keys, requests and signatures begin alike.
            guard (try? CertificateSlices(certificate: der.span)) != nil else { return }
            batch.append(der, at: place)
        } else if text.hasPrefix("-----BEGIN ") {
            let block = InputBlock(input: "", form: .pem, bytes: Array(text.utf8), line: 1, offset: 0, nextLine: 1)
            let inner = PEMCertificates.read(block)
            for range in inner.certificates { batch.append(inner.bytes[range], at: place) }
            for _ in inner.undecoded { batch.appendUndecoded(at: place) }
        }
    }
}

extension CertificateBatch.Place {
    /// The same place, one step further in.
    fileprivate func within(_ step: String) -> CertificateBatch.Place {
        var place = self
        place.path = (path ?? "") + step
        return place
    }
}
