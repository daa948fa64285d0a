// The kit: it talks with the referee, so that your bot only has to choose. You need not change it.

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/** What a bot needs besides its own ideas. */
final class ArenaBot {
    private ArenaBot() {}

    /** One question: what do you play here? */
    static final class Request {
        /** The position, as README.md shows it: Maps, Lists, Strings, Doubles and Booleans. */
        final Map<String, Object> state;
        /** The moves to choose from. */
        final List<String> legal;
        /** All moves so far. */
        final List<String> history;
        /** The parameters of the game. */
        final Map<String, Object> params;
        /** 0 or 1: you. */
        final int seat;
        /** How many moves have been played. */
        final int ply;

        private final long until;

        Request(Map<String, Object> hello, Map<String, Object> message) {
            state = object(message.get("state"));
            legal = texts(message.get("legal"));
            history = texts(message.get("history"));
            params = object(object(hello.get("game")).get("params"));
            seat = ((Double) hello.get("seat")).intValue();
            ply = ((Double) message.get("ply")).intValue();
            Double allowed = (Double) object(message.get("time")).get("move_ms");
            until = System.nanoTime() + (long) (allowed * 1e6);
        }

        double secondsLeft() {
            return (until - System.nanoTime()) / 1e9;
        }
    }

    /** Plays a match with your bot. Whatever it prints itself goes to stderr. */
    static void run(Function<Request, String> choose) throws IOException {
        PrintStream out = System.out;
        System.setOut(System.err);
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        Map<String, Object> hello = Map.of();
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            Map<String, Object> message = object(read(line));
            if ("hello".equals(message.get("type"))) {
                hello = message;
                out.println("{\"type\":\"ready\",\"protocol\":\"arena/1\"}");
            } else if ("move".equals(message.get("type"))) {
                long id = ((Double) message.get("id")).longValue();
                String move = choose.apply(new Request(hello, message));
                out.println("{\"type\":\"move\",\"id\":" + id + ",\"move\":\"" + move + "\"}");
            } else if ("end".equals(message.get("type"))) {
                return;
            }
            out.flush();
        }
    }

    /** A line of JSON. */
    static Object read(String line) {
        return new Reader(line).value();
    }

    @SuppressWarnings("unchecked")
    static Map<String, Object> object(Object value) {
        return (Map<String, Object>) value;
    }

    @SuppressWarnings("unchecked")
    private static List<String> texts(Object value) {
        return (List<String>) value;
    }

    private static final class Reader {
        private final String text;
        private int at;

        Reader(String text) {
            this.text = text;
        }

        Object value() {
            if (take('"')) {
                return word();
            }
            if (take('[')) {
                return list();
            }
            if (take('{')) {
                return map();
            }
            int start = at;
            while (at < text.length() && ",]} \t\r".indexOf(text.charAt(at)) < 0) {
                at++;
            }
            String found = text.substring(start, at);
            switch (found) {
                case "null":
                    return null;
                case "true":
                    return true;
                case "false":
                    return false;
                default:
                    return Double.valueOf(found);
            }
        }

        private List<Object> list() {
            List<Object> found = new ArrayList<>();
            if (take(']')) {
                return found;
            }
            do {
                found.add(value());
            } while (take(','));
            need(']');
            return found;
        }

        private Map<String, Object> map() {
            Map<String, Object> found = new HashMap<>();
            if (take('}')) {
                return found;
            }
            do {
                need('"');
                String name = word();
                need(':');
                found.put(name, value());
            } while (take(','));
            need('}');
            return found;
        }

        /** The text up to the closing quotation mark. */
        private String word() {
            StringBuilder found = new StringBuilder();
            while (text.charAt(at) != '"') {
                char sign = text.charAt(at++);
                if (sign != '\\') {
                    found.append(sign);
                    continue;
                }
                sign = text.charAt(at++);
                int which = "bfnrt".indexOf(sign);
                if (which >= 0) {
                    found.append("\b\f\n\r\t".charAt(which));
                } else if (sign == 'u') {
                    found.append((char) Integer.parseInt(text.substring(at, at + 4), 16));
                    at += 4;
                } else {
                    found.append(sign);
                }
            }
            at++;
            return found.toString();
        }

        private boolean take(char wanted) {
            while (at < text.length() && " \t\r".indexOf(text.charAt(at)) >= 0) {
                at++;
            }
            if (at >= text.length() || text.charAt(at) != wanted) {
                return false;
            }
            at++;
            return true;
        }

        private void need(char wanted) {
            if (!take(wanted)) {
                throw new IllegalArgumentException("this is no JSON: " + text);
            }
        }
    }
}
