package probe.json;

import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A JSON value (RFC 8259). */
public sealed interface Json {
    record Text(String value) implements Json {}

    /** A number as it was written, so that an {@code id} goes back as it came. */
    record Number(String literal) implements Json {
        public double value() {
            return Double.parseDouble(literal);
        }
    }

    record Flag(boolean value) implements Json {}

    record Nothing() implements Json {}

    record Array(List<Json> elements) implements Json {
        public Array {
            elements = List.copyOf(elements);
        }
    }

    /** Members keep their order. */
    record Members(Map<String, Json> members) implements Json {
        /** The member, where one that is missing is nothing. */
        public Json get(String name) {
            return members.getOrDefault(name, NOTHING);
        }

        public Members with(String name, Object value) {
            var copy = new LinkedHashMap<>(members);
            copy.put(name, of(value));
            return new Members(copy);
        }
    }

    Json NOTHING = new Nothing();

    /** An object of names and values in turn. */
    static Members object(Object... namesAndValues) {
        var members = new LinkedHashMap<String, Json>();
        for (int i = 0; i < namesAndValues.length; i += 2) {
            members.put((String) namesAndValues[i], of(namesAndValues[i + 1]));
        }
        return new Members(members);
    }

    /** The JSON for a value of Java; bytes are base64. */
    static Json of(Object value) {
        if (value == null) {
            return NOTHING;
        } else if (value instanceof Json json) {
            return json;
        } else if (value instanceof String text) {
            return new Text(text);
        } else if (value instanceof Boolean flag) {
            return new Flag(flag);
        } else if (value instanceof java.lang.Number number) {
            return new Number(number.toString());
        } else if (value instanceof byte[] bytes) {
            return new Text(Base64.getEncoder().encodeToString(bytes));
        } else if (value instanceof List<?> list) {
            var elements = new ArrayList<Json>(list.size());
            list.forEach(element -> elements.add(of(element)));
            return new Array(elements);
        }
        throw new IllegalArgumentException("no JSON for " + value.getClass());
    }

    /** The value on one line. */
    default String line() {
        var out = new StringBuilder();
        JsonWriter.write(this, out);
        return out.toString();
    }
}
