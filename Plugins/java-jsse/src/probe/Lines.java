package probe;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;

/** Lines of UTF-8, each ended by LF. */
final class Lines {
    /** 8 MiB, what the protocol allows. */
    private static final int MAXIMUM_BYTES = 8 << 20;

    private final InputStream input;
    private final byte[] buffer = new byte[1 << 16];
    private int start;
    private int end;

    Lines(InputStream input) {
        this.input = input;
    }

    /**
     * Returns the next line, or null at the end. Bytes after the last LF are not a line.
     *
     * @throws CharacterCodingException if the line is not UTF-8, or too long; the next call goes on after it
     */
    String next() throws IOException {
        var line = new ByteArrayOutputStream();
        boolean isTooLong = false;
        while (true) {
            if (start == end) {
                start = 0;
                end = Math.max(0, input.read(buffer));
                if (end == 0) {
                    return null;
                }
            }
            int stop = start;
            while (stop < end && buffer[stop] != '\n') {
                stop++;
            }
            isTooLong |= line.size() + (stop - start) > MAXIMUM_BYTES;
            if (!isTooLong) {
                line.write(buffer, start, stop - start);
            }
            if (stop < end) {
                start = stop + 1;
                if (isTooLong) {
                    throw new CharacterCodingException();
                }
                return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(line.toByteArray())).toString();
            }
            start = end;
        }
    }
}
