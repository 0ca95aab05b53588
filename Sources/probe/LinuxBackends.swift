import ProbeKit
import ProbeNet

#if os(Linux)
    import ResolverCAres
    import ResolverDoH
    import TransportCurl
#endif

/// The backends that use calls of Linux; none elsewhere.
enum LinuxBackends {
    #if os(Linux)
        static func curl() throws -> [any Transport] { [try CurlTransport()] }
        static func cares(tls: @escaping EngineMaker) -> [any Resolver] { [CAresResolver(tls: tls)] }
        static func doh() throws -> [any Resolver] { [try DoHResolver()] }
    #else
        static func curl() throws -> [any Transport] { [] }
        static func cares(tls: @escaping EngineMaker) -> [any Resolver] { [] }
        static func doh() throws -> [any Resolver] { [] }
    #endif
}
