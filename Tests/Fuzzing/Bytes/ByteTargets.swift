/// The targets that read bytes with our own code and little else: the ones that run most often.
public let byteTargets: [FuzzTarget] = [.derWalk, .dnsMessage, .txtText, .dateText]
