import CLibFuzzer
import Dispatch
public import FuzzBytes
import Glibc

/// Runs libFuzzer over one of the targets.
public enum FuzzDriver {
    /// Written once, before libFuzzer starts.
    nonisolated(unsafe) private static var target: FuzzTarget?

    /// Runs the target that `--target=NAME` names, with libFuzzer's own options; `--list` prints the targets.
    public static func run(_ targets: [FuzzTarget]) -> Never {
        let arguments = CommandLine.arguments
        if arguments.contains("--list") {
            for target in targets { print(target.name, target.maximumBytes) }
            exit(0)
        }
        // libFuzzer skips options with two dashes, and hands them to the processes that it starts.
        let name = arguments.first { $0.hasPrefix("--target=") }?.dropFirst("--target=".count)
        guard let found = targets.first(where: { $0.name == name ?? "" }) else {
            print("usage: \(arguments[0]) --list | --target=NAME [libFuzzer's options]")
            exit(64)
        }
        target = found
        var count = CommandLine.argc
        var values: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? = CommandLine.unsafeArgv
        exit(
            LLVMFuzzerRunDriver(&count, &values) { data, size in
                FuzzDriver.runOnce(Array(UnsafeBufferPointer(start: data, count: size)))
                return 0
            })
    }

    private static func runOnce(_ bytes: [UInt8]) {
        switch target?.body {
        case nil: break
        case .immediate(let run):
            do { try run(bytes) } catch { fatalError("\(error)") }
        case .waiting(let run):
            let end = DispatchSemaphore(value: 0)
            Task.detached {
                do { try await run(bytes) } catch { fatalError("\(error)") }
                end.signal()
            }
            end.wait()
        }
    }
}
