package probe;

import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Date;
import java.util.List;
import probe.json.Json;

/** The members of a request, read as the protocol's values. */
record Fields(Json.Members members) {
    /** The maximum duration of anything, whatever a request contains. */
    private static final double MAXIMUM_SECONDS = 3600;

    boolean has(String name) {
        return !(members.get(name) instanceof Json.Nothing);
    }

    String text(String name) throws BadRequest {
        return text(members.get(name), name);
    }

    List<String> texts(String name) throws BadRequest {
        var texts = new ArrayList<String>();
        for (var element : array(name)) {
            texts.add(text(element, name));
        }
        return texts;
    }

    byte[] bytes(String name) throws BadRequest {
        return bytes(members.get(name), name);
    }

    List<byte[]> bytesList(String name) throws BadRequest {
        var list = new ArrayList<byte[]>();
        for (var element : array(name)) {
            list.add(bytes(element, name));
        }
        return list;
    }

    Fields object(String name) throws BadRequest {
        if (members.get(name) instanceof Json.Members object) {
            return new Fields(object);
        }
        throw new BadRequest(name + " is not an object");
    }

    /** A whole number of at least {@code minimum}. */
    int integer(String name, int minimum) throws BadRequest {
        if (members.get(name) instanceof Json.Number number
                && number.value() == Math.rint(number.value())
                && number.value() >= minimum
                && number.value() <= Integer.MAX_VALUE) {
            return (int) number.value();
        }
        throw new BadRequest(name + " is not a whole number of at least " + minimum);
    }

    Duration duration(String name) throws BadRequest {
        if (members.get(name) instanceof Json.Number number && number.value() >= 0) {
            return Duration.ofNanos((long) (Math.min(number.value(), MAXIMUM_SECONDS) * 1e9));
        }
        throw new BadRequest(name + " is not a number of seconds");
    }

    Instant instant(String name) throws BadRequest {
        try {
            var instant = Instant.parse(text(name));
            // The validation's type has a smaller range.
            Date.from(instant);
            return instant;
        } catch (DateTimeParseException | IllegalArgumentException e) {
            throw new BadRequest(name + " is not an instant: " + e.getMessage());
        }
    }

    private List<Json> array(String name) throws BadRequest {
        if (members.get(name) instanceof Json.Array array) {
            return array.elements();
        }
        throw new BadRequest(name + " is not a list");
    }

    private static String text(Json json, String name) throws BadRequest {
        if (json instanceof Json.Text text) {
            return text.value();
        }
        throw new BadRequest(name + " is not a string");
    }

    private static byte[] bytes(Json json, String name) throws BadRequest {
        try {
            return Base64.getDecoder().decode(text(json, name));
        } catch (IllegalArgumentException e) {
            throw new BadRequest(name + " is not base64: " + e.getMessage());
        }
    }
}
