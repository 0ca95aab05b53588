package probe.json;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.regex.Pattern;

/** A strict reader: one value, no member twice, no half of a surrogate pair, at most {@value #MAXIMUM_DEPTH} deep. */
public final class JsonReader {
    private static final int MAXIMUM_DEPTH = 32;
    private static final Pattern NUMBER =
            Pattern.compile("-?(0|[1-9][0-9]{0,18})(\\.[0-9]{1,32})?([eE][+-]?[0-9]{1,3})?");

    private final String text;
    private int at;

    private JsonReader(String text) {
        this.text = text;
    }

    public static Json read(String text) throws JsonException {
        var reader = new JsonReader(text);
        var value = reader.value(0);
        reader.skipSpace();
        if (reader.at < text.length()) {
            throw reader.error("something follows the value");
        }
        return value;
    }

    private Json value(int depth) throws JsonException {
        if (depth > MAXIMUM_DEPTH) {
            throw error("nested too deeply");
        }
        skipSpace();
        return switch (peek()) {
            case '{' -> object(depth);
            case '[' -> array(depth);
            case '"' -> new Json.Text(string());
            case 't' -> word("true", new Json.Flag(true));
            case 'f' -> word("false", new Json.Flag(false));
            case 'n' -> word("null", Json.NOTHING);
            default -> number();
        };
    }

    private Json object(int depth) throws JsonException {
        var members = new LinkedHashMap<String, Json>();
        at++;
        if (skips('}')) {
            return new Json.Members(members);
        }
        do {
            skipSpace();
            if (peek() != '"') {
                throw error("a member's name is missing");
            }
            var name = string();
            if (!skips(':')) {
                throw error("a colon is missing");
            }
            if (members.put(name, value(depth + 1)) != null) {
                throw error("a member is there twice");
            }
        } while (skips(','));
        if (!skips('}')) {
            throw error("an object is not closed");
        }
        return new Json.Members(members);
    }

    private Json array(int depth) throws JsonException {
        var elements = new ArrayList<Json>();
        at++;
        if (skips(']')) {
            return new Json.Array(elements);
        }
        do {
            elements.add(value(depth + 1));
        } while (skips(','));
        if (!skips(']')) {
            throw error("an array is not closed");
        }
        return new Json.Array(elements);
    }

    private Json word(String word, Json value) throws JsonException {
        if (!text.startsWith(word, at)) {
            throw error("an unknown word");
        }
        at += word.length();
        return value;
    }

    private Json number() throws JsonException {
        var matcher = NUMBER.matcher(text).region(at, text.length());
        if (!matcher.lookingAt()) {
            throw error("no value");
        }
        at = matcher.end();
        return new Json.Number(matcher.group());
    }

    private String string() throws JsonException {
        // Most strings are long base64 without an escape: they are taken in one piece.
        int end = at + 1;
        while (end < text.length() && isPlain(text.charAt(end))) {
            end++;
        }
        var out = new StringBuilder(text.substring(at + 1, end));
        at = end;
        while (peek() != '"') {
            char c = text.charAt(at++);
            if (c == '\\') {
                out.append(escaped());
            } else if (c < 0x20) {
                throw error("a control character in a string");
            } else {
                out.append(c);
            }
        }
        at++;
        for (int i = 0; i < out.length(); i++) {
            if (Character.isSurrogate(out.charAt(i)) && !Character.isSupplementaryCodePoint(out.codePointAt(i++))) {
                throw error("half of a surrogate pair");
            }
        }
        return out.toString();
    }

    private static boolean isPlain(char c) {
        return c != '"' && c != '\\' && c >= 0x20;
    }

    private char escaped() throws JsonException {
        char c = peek();
        at++;
        return switch (c) {
            case '"', '\\', '/' -> c;
            case 'b' -> '\b';
            case 'f' -> '\f';
            case 'n' -> '\n';
            case 'r' -> '\r';
            case 't' -> '\t';
            case 'u' -> codeUnit();
            default -> throw error("an unknown escape");
        };
    }

    private char codeUnit() throws JsonException {
        int unit = 0;
        for (int i = 0; i < 4; i++) {
            int digit = Character.digit(peek(), 16);
            if (digit < 0 || peek() > 'f') {
                throw error("an escape without its four digits");
            }
            unit = unit * 16 + digit;
            at++;
        }
        return (char) unit;
    }

    private char peek() throws JsonException {
        if (at >= text.length()) {
            throw error("the text ends early");
        }
        return text.charAt(at);
    }

    private boolean skips(char c) {
        skipSpace();
        if (at < text.length() && text.charAt(at) == c) {
            at++;
            return true;
        }
        return false;
    }

    private void skipSpace() {
        while (at < text.length() && " \t\r\n".indexOf(text.charAt(at)) >= 0) {
            at++;
        }
    }

    private JsonException error(String message) {
        return new JsonException(message, at);
    }
}
