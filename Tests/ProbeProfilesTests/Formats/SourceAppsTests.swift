import ProbeKit
import ProbeProfiles
import ProbeTestSupport
import Testing

/// Files as apps have them: a word of a constant is a parameter, a property or a member of another object elsewhere.
@Suite(.bounded) struct SourceAppsTests {
    private static let kotlin = """
        package test.app.net

        data class Endpoint(val host: String, val port: Int)

        class ApiClient(private val log: Logger) {
            companion object {
                private const val host = "api.a.test"
                private val pins = arrayOf("sha256/ONE", "sha256/TWO")
            }

            private val pinner = CertificatePinner.Builder()
                .add(host, *pins)
                .build()

            val client: OkHttpClient by lazy {
                OkHttpClient.Builder()
                    .certificatePinner(pinner)
                    .hostnameVerifier { host, session -> log.check(host, session) }
                    .build()
            }

            fun resolve(uri: Uri, done: (host: String) -> Unit) {
                uri.host?.let { done(it) }
                host.let { "https://$it/" }
                pins.also { log.count(it.size) }
            }

            fun request(host: String): Request = Request.Builder()
                .url("https://$host/")
                .build()

            fun proxy(config: ProxyConfig) {
                config.host = host
            }
        }
        """

    private static let java = """
        package test.app.net;

        public final class Network {
            private final String hostname = "api.a.test";
            private OkHttpClient client;

            public OkHttpClient client() {
                CertificatePinner pinner = new CertificatePinner.Builder()
                    .add(hostname, "sha256/ONE", "sha256/TWO")
                    .build();
                client = new OkHttpClient.Builder()
                    .certificatePinner(pinner)
                    .hostnameVerifier(new HostnameVerifier() {
                        @Override public boolean verify(String hostname, SSLSession session) {
                            return matches(hostname);
                        }
                    })
                    .build();
                return client;
            }

            private boolean matches(String hostname) { return hostname.endsWith(".test"); }

            static class Endpoint {
                private String hostname;

                Endpoint(String hostname) { this.hostname = hostname; }
            }
        }
        """

    private static let swift = """
        import TrustKit

        enum Pinned {
            static let domain = "api.a.test"
        }

        struct Failure: Error {
            let domain: String
        }

        final class Pinning {
            private var config: [String: Any] = [:]

            func start(_ session: Session) {
                let settings: [String: Any] = [
                    kTSKPinnedDomains: [Pinned.domain: [kTSKPublicKeyHashes: ["ONE", "TWO"]]]
                ]
                self.settings = settings
                session.settings = Session.Settings()
                TrustKit.initSharedInstance(withConfiguration: settings)
            }

            func report(_ domain: String) { cookies.domain.append(domain) }
        }
        """

    private static let objectiveC = """
        #import <TrustKit/TrustKit.h>

        FOUNDATION_EXPORT NSString *const kAppHost;
        UIKIT_EXTERN NSString *kHost;
        NSString *kHost = @"api.a.test";

        @interface AppDelegate ()
        @property (nonatomic, copy) NSDictionary *config;
        @end

        @implementation AppDelegate
        - (void)open:(NSString *)host { [self log:host]; }
        - (void)start {
            NSString *host = kHost;
            NSDictionary *config = @{
                kTSKPinnedDomains: @{ host: @{ kTSKPublicKeyHashes: @[ @"ONE", @"TWO" ] } }
            };
            self.config = config;
            [TrustKit initSharedInstanceWithConfiguration:config];
        }
        @end
        """

    @Test(
        "[R72] the constants of an app are read, whatever else has their names",
        arguments: [
            (kotlin, "ApiClient.kt", .okhttp), (java, "Network.java", .okhttp), (swift, "Pinning.swift", .trustkit),
            (objectiveC, "AppDelegate.m", .trustkit),
        ] as [(String, String, ProfileFormat)])
    func app(text: String, path: String, format: ProfileFormat) throws {
        let text = text.replacing("ONE", with: Samples.one).replacing("TWO", with: Samples.two)
        let hosts = try format.read(Array(text.utf8), FormatContext(path: path)).profile.hosts
        #expect(hosts.map(\.pattern) == ["api.a.test"])
        #expect(hosts.flatMap(\.pins).flatMap(\.members).count == 2)
    }
}
