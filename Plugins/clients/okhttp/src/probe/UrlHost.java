package probe;

import okhttp3.HttpUrl;

/** The host of a call, as OkHttp writes it in a URL: in ASCII and lower case, an address in its short form. */
final class UrlHost {
    private UrlHost() {}

    /** Returns null where OkHttp takes no such host. */
    static String of(ProvedName name) {
        return of(name.peerHost());
    }

    static String of(String host) {
        try {
            return new HttpUrl.Builder().scheme("https").host(host).build().host();
        } catch (IllegalArgumentException e) {
            return null;
        }
    }
}
