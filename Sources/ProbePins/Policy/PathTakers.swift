/// Returns words for those who take a path to one anchor and none to others: root stores and clients. Nil if nobody is
/// known to.
///
/// - Parameters:
///   - anchor: the anchor of the path, as DER.
///   - usual: the anchors of the paths that were judged.
public typealias PathTakers = @Sendable (_ anchor: [UInt8], _ usual: [[UInt8]]) -> String?
