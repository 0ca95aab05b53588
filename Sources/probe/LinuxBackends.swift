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
        static func curl() -> [any Transport] { [CurlTransport()] }
        static func cares(tls: @escaping EngineMaker) -> [any Resolver] { [CAresResolver(tls: tls)] }
        static func doh() -> [any Resolver] { [DoHResolver()] }
    #else
        static func curl() -> [any Transport] { [] }
        static func cares(tls: @escaping EngineMaker) -> [any Resolver] { [] }
        static func doh() -> [any Resolver] { [] }
    #endif
}
