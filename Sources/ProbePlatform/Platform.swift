// The one file that knows the platform: every other imports this module for Foundation's values and the C library.
#if canImport(FoundationEssentials)
    @_exported public import FoundationEssentials
#else
    @_exported public import Foundation
#endif
#if canImport(Glibc)
    @_exported public import Glibc
#elseif canImport(Musl)
    @_exported public import Musl
#elseif canImport(Darwin)
    @_exported public import Darwin
#endif

/// The names that C libraries spell in ways of their own.
package enum Platform {
    #if canImport(Glibc)
        /// The type of a TCP socket.
        package static var stream: CInt { CInt(SOCK_STREAM.rawValue) }
        /// The type of a UDP socket.
        package static var datagram: CInt { CInt(SOCK_DGRAM.rawValue) }
        /// The limit on open descriptors, as getrlimit(2) names it.
        package static var openFiles: __rlimit_resource_t { __rlimit_resource_t(RLIMIT_NOFILE.rawValue) }
        /// The limit on the size of a file, as getrlimit(2) names it.
        package static var fileSize: __rlimit_resource_t { __rlimit_resource_t(RLIMIT_FSIZE.rawValue) }
    #else
        /// The type of a TCP socket.
        package static var stream: CInt { CInt(SOCK_STREAM) }
        /// The type of a UDP socket.
        package static var datagram: CInt { CInt(SOCK_DGRAM) }
        /// The limit on open descriptors, as getrlimit(2) names it.
        package static var openFiles: CInt { CInt(RLIMIT_NOFILE) }
        /// The limit on the size of a file, as getrlimit(2) names it.
        package static var fileSize: CInt { CInt(RLIMIT_FSIZE) }
    #endif

    #if canImport(Darwin)
        /// EAI_NODATA, which newer headers leave out.
        package static var noData: CInt { 7 }
        /// The room for a thread that pthread_create(3) starts.
        package static var thread: pthread_t? { nil }
        /// The running program's file.
        package static var executable: String { CommandLine.arguments[0] }
        /// The function that a signal has; SIG_IGN is one.
        package static func handler(of action: sigaction) -> Int {
            unsafe unsafeBitCast(action.__sigaction_u.__sa_handler, to: Int.self)
        }
    #else
        /// EAI_NODATA, which the header shows GNU programs only.
        package static var noData: CInt { -5 }
        /// The room for a thread that pthread_create(3) starts.
        package static var thread: pthread_t { pthread_t() }
        /// The running program's file.
        package static var executable: String { "/proc/self/exe" }
        /// The function that a signal has; SIG_IGN is one.
        package static func handler(of action: sigaction) -> Int {
            unsafe unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self)
        }
    #endif

    /// True where the kernel counts the bytes that no one read yet (SO_MEMINFO of socket(7)).
    package static var countsUnreadBytes: Bool {
        #if os(Linux)
            true
        #else
            false
        #endif
    }
}
