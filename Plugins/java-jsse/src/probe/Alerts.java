package probe;

import java.util.Map;

/** The numbers of the alerts that JSSE calls by name (RFC 8446 section 6, and the ones before it). */
final class Alerts {
    private static final String RECEIVED = "Received fatal alert: ";

    private static final Map<String, Integer> NUMBERS =
            Map.ofEntries(
                    Map.entry("close_notify", 0),
                    Map.entry("unexpected_message", 10),
                    Map.entry("bad_record_mac", 20),
                    Map.entry("decryption_failed", 21),
                    Map.entry("record_overflow", 22),
                    Map.entry("decompression_failure", 30),
                    Map.entry("handshake_failure", 40),
                    Map.entry("no_certificate", 41),
                    Map.entry("bad_certificate", 42),
                    Map.entry("unsupported_certificate", 43),
                    Map.entry("certificate_revoked", 44),
                    Map.entry("certificate_expired", 45),
                    Map.entry("certificate_unknown", 46),
                    Map.entry("illegal_parameter", 47),
                    Map.entry("unknown_ca", 48),
                    Map.entry("access_denied", 49),
                    Map.entry("decode_error", 50),
                    Map.entry("decrypt_error", 51),
                    Map.entry("export_restriction", 60),
                    Map.entry("protocol_version", 70),
                    Map.entry("insufficient_security", 71),
                    Map.entry("internal_error", 80),
                    Map.entry("inappropriate_fallback", 86),
                    Map.entry("user_canceled", 90),
                    Map.entry("no_renegotiation", 100),
                    Map.entry("missing_extension", 109),
                    Map.entry("unsupported_extension", 110),
                    Map.entry("certificate_unobtainable", 111),
                    Map.entry("unrecognized_name", 112),
                    Map.entry("bad_certificate_status_response", 113),
                    Map.entry("bad_certificate_hash_value", 114),
                    Map.entry("unknown_psk_identity", 115),
                    Map.entry("certificate_required", 116),
                    Map.entry("no_application_protocol", 120));

    private Alerts() {}

    /** Returns true if an exception of JSSE means that the peer sent a fatal alert. */
    static boolean isReceived(String message) {
        return message.contains(RECEIVED);
    }

    /** Returns the alert's number, or null if JSSE has another name for it; {@code UNKNOWN ALERT (200)} contains it. */
    static Integer number(String message) {
        var name = message.substring(message.indexOf(RECEIVED) + RECEIVED.length()).strip();
        if (name.matches("UNKNOWN ALERT \\([0-9]{1,3}\\)")) {
            return Integer.valueOf(name.replaceAll("[^0-9]", ""));
        }
        return NUMBERS.get(name);
    }
}
