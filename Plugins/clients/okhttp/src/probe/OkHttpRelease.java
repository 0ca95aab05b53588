package probe;

import okhttp3.internal.Version;

/** The version of OkHttp as loaded, which its user agent names. */
final class OkHttpRelease {
    private OkHttpRelease() {}

    static String version() {
        return Version.userAgent().substring("okhttp/".length());
    }
}
