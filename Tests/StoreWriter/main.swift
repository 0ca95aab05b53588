import ProbeKit
import ProbePlatform
import ProbeRun
import ProbeStore
import StoreWorkload

// Usage: store-writer FILE FIRST COUNT. Runs the checks of COUNT names, those of the first sixteen endlessly if COUNT
// is 0, remembers successes in FILE, and reports that once on standard output after the first name. The parent may have
// been killed itself, so it ends after a while.
alarm(1500)
let arguments = CommandLine.arguments
guard arguments.count == 4, let first = Int(arguments[2]), let count = Int(arguments[3]) else { exit(64) }
let store = try SuccessStore(StorePath(arguments[1])) { message in
    _ = unsafe write(STDERR_FILENO, message + "\n", message.utf8.count + 1)
}
var number = 0
while count == 0 || number < count {

    let prober = Prober(clock: .system, modelCache: WriteOnly(store: store))
    try await StoreWorkload.run(first + (count == 0 ? number % 16 : number), with: prober)
    if number == 0 { _ = unsafe write(STDOUT_FILENO, "w", 1) }
    number += 1
}

/// A store that returns nothing, so that everything is asked for and written again.
struct WriteOnly: SuccessCache {
    let store: SuccessStore

    func lastSuccess(of key: CacheKey) async -> Date? { nil }

    func recordSuccess(of key: CacheKey, at instant: Date, for lifetime: CacheLifetime) async {
        await store.recordSuccess(of: key, at: instant, for: lifetime)
    }
}
