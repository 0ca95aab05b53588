import NIOCore
import NIOPosix
import ProbePlatform

/// The service manager that started the process, which waits for word of it (sd_notify(3)); most often there is none.
enum ServiceManager {
    /// Reports a state, like `READY=1`. A manager that can't be reached changes nothing.
    static func notify(_ state: String) async {
        guard let path = ProcessInfo.processInfo.environment["NOTIFY_SOCKET"], path.hasPrefix("/") else { return }
        guard
            let channel = try? await DatagramBootstrap(group: MultiThreadedEventLoopGroup.singleton)
                .connect(unixDomainSocketPath: path).get()
        else { return }
        try? await channel.writeAndFlush(ByteBuffer(string: state)).get()
        try? await channel.close().get()
    }
}
