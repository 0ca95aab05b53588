import CProbeGnuTLS
import ProbeKit
import Synchronization

/// The PKCS #11 modules of the process. None is loaded, and p11-kit's configuration is not read, before a token is asked for.
enum GnuTLSModules {
    private struct State {
        /// True if p11-kit's modules are loaded, false if only named ones are; nil before the first.
        var includesSystems: Bool?
        var named: Set<String> = []
    }

    /// Held while modules are loaded: GnuTLS documents `gnutls_pkcs11_add_provider` as not thread safe, and a second caller
    /// may not go on before the module of its URI is there.
    private static let state = Mutex(State())

    /// Loads the modules at `paths`, or p11-kit's if there are none.
    static func load(_ paths: [String]) throws(ClientIdentity.Problem) {
        let problem = state.withLock { state -> ClientIdentity.Problem? in
            do throws(ClientIdentity.Problem) {
                try load(paths, &state)
                return nil
            } catch {
                return error
            }
        }
        if let problem { throw problem }
    }

    private static func load(_ paths: [String], _ state: inout State) throws(ClientIdentity.Problem) {
        if state.includesSystems == nil {
            let flag = paths.isEmpty ? GNUTLS_PKCS11_FLAG_AUTO : GNUTLS_PKCS11_FLAG_MANUAL
            let result = gnutls_pkcs11_init(UInt32(flag), nil)
            guard result >= 0 else {
                let words = GnuTLSErrorCode(rawValue: result).message
                throw .noModule("the PKCS #11 modules of this machine can't be loaded: \(words)")
            }
            state.includesSystems = paths.isEmpty
        }
        // GnuTLS loads p11-kit's modules first or not at all.
        guard !paths.isEmpty || state.includesSystems == true else {
            throw .noModule("another PKCS #11 URI names its module, and this one names none")
        }
        for path in paths where !state.named.contains(path) {
            let result = unsafe gnutls_pkcs11_add_provider(path, nil)
            guard result >= 0 else {
                throw .noModule(
                    "the PKCS #11 module \(path) can't be loaded: \(GnuTLSErrorCode(rawValue: result).message)")
            }
            state.named.insert(path)
        }
    }

    /// Rejects a URI without a token, and a token whose PIN is locked: another try would be refused or counted.
    static func checkToken(of uri: String) throws(ClientIdentity.Problem) {
        var flags: UInt32 = 0
        let result = unsafe gnutls_pkcs11_token_get_flags(uri, &flags)
        switch result {
        case GNUTLS_E_REQUESTED_DATA_NOT_AVAILABLE, GNUTLS_E_PKCS11_REQUESTED_OBJECT_NOT_AVAILBLE:
            throw .noToken(present: labels)
        case 0: break
        default: throw .tokenFailed(GnuTLSErrorCode(rawValue: result).message)
        }
        guard flags & UInt32(GNUTLS_PKCS11_TOKEN_USER_PIN_LOCKED) == 0 else { throw .lockedPIN }
    }

    /// The labels of the tokens that are there, without p11-kit's list of trusted certificates.
    private static var labels: [String] {
        var labels: [String] = []
        var url: UnsafeMutablePointer<CChar>?
        // A module could report tokens without end.
        for index in 0..<100 {
            guard unsafe gnutls_pkcs11_token_get_url(UInt32(index), GNUTLS_PKCS11_URL_GENERIC, &url) == 0,
                let text = unsafe url
            else { break }
            defer { unsafe cprobe_gnutls_free(text) }
            var flags: UInt32 = 0
            guard unsafe gnutls_pkcs11_token_get_flags(text, &flags) == 0,
                flags & UInt32(GNUTLS_PKCS11_TOKEN_TRUSTED) == 0
            else { continue }
            var label = [CChar](repeating: 0, count: 256)
            var size = label.count
            guard unsafe gnutls_pkcs11_token_get_info(text, GNUTLS_PKCS11_TOKEN_LABEL, &label, &size) >= 0 else {
                continue
            }
            labels.append(String(decoding: label.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self))
        }
        return labels
    }
}
