import ProbeKit
import ProbePlatform

/// getaddrinfo for TCP, which orders addresses as RFC 6724 asks.
enum SystemLookup {
    /// The maximum number of addresses used for one name.
    private static let maximum = 256

    @Sendable static func addresses(of name: String) -> Result<[IPAddress], LookupFailure> {
        var hints = unsafe addrinfo()
        unsafe hints.ai_socktype = Platform.stream
        unsafe hints.ai_protocol = CInt(IPPROTO_TCP)
        var list: UnsafeMutablePointer<addrinfo>?
        let code = unsafe getaddrinfo(name, nil, &hints, &list)
        guard code == 0, let list = unsafe list else {
            if code != 0, !canOpenFiles { return .failure(.outOfFiles) }
            return .failure(LookupFailure(code: code == 0 ? EAI_NONAME : code))
        }
        defer { unsafe freeaddrinfo(list) }
        var addresses: [IPAddress] = []
        var next: UnsafeMutablePointer<addrinfo>? = unsafe list
        while let entry = unsafe next, addresses.count < maximum {
            if let address = unsafe address(entry.pointee), !addresses.contains(address) { addresses.append(address) }
            unsafe next = entry.pointee.ai_next
        }
        return addresses.isEmpty ? .failure(LookupFailure(code: EAI_NONAME)) : .success(addresses)
    }

    /// False while this process has as many files open as it may.
    private static var canOpenFiles: Bool {
        let descriptor = unsafe open("/dev/null", O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return ![EMFILE, ENFILE].contains(errno) }
        close(descriptor)
        return true
    }

    private static func address(_ entry: addrinfo) -> IPAddress? {
        guard let socket = unsafe UnsafeRawPointer(entry.ai_addr) else { return nil }
        // The address follows family and port; in IPv6, the flow too (RFC 3493 section 3.3).
        let (offset, count) = unsafe entry.ai_family == AF_INET6 ? (8, 16) : (4, 4)
        guard unsafe [AF_INET, AF_INET6].contains(entry.ai_family), unsafe Int(entry.ai_addrlen) >= offset + count
        else {
            return nil
        }
        return unsafe IPAddress(bytes: Array(UnsafeRawBufferPointer(start: socket + offset, count: count)))
    }
}
