import Foundation
import NIOCore
import NIOPosix

/// Keeps one of the event loops from its work.
enum StandingLoop {
    static func stand(for seconds: Double) async {
        try? await MultiThreadedEventLoopGroup.singleton.next().submit { Thread.sleep(forTimeInterval: seconds) }.get()
    }
}
