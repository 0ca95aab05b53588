package probe.json;

/** Writes JSON on one line. */
final class JsonWriter {
    private JsonWriter() {}

    static void write(Json json, StringBuilder out) {
        if (json instanceof Json.Text text) {
            quote(text.value(), out);
        } else if (json instanceof Json.Number number) {
            out.append(number.literal());
        } else if (json instanceof Json.Flag flag) {
            out.append(flag.value());
        } else if (json instanceof Json.Array array) {
            char separator = '[';
            for (var element : array.elements()) {
                out.append(separator);
                write(element, out);
                separator = ',';
            }
            out.append(separator == '[' ? "[]" : "]");
        } else if (json instanceof Json.Members object) {
            char separator = '{';
            for (var member : object.members().entrySet()) {
                out.append(separator);
                quote(member.getKey(), out);
                out.append(':');
                write(member.getValue(), out);
                separator = ',';
            }
            out.append(separator == '{' ? "{}" : "}");
        } else {
            out.append("null");
        }
    }

    /** Surrogates are escaped, because half a pair has no UTF-8. */
    private static void quote(String text, StringBuilder out) {
        out.append('"');
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '"' || c == '\\') {
                out.append('\\').append(c);
            } else if (c < 0x20 || c == 0x7f || Character.isSurrogate(c)) {
                out.append(String.format("\\u%04x", (int) c));
            } else {
                out.append(c);
            }
        }
        out.append('"');
    }
}
