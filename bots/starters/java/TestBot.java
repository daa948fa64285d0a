// Whether the bot answers with a legal move in each position of positions.jsonl: make test.

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** The test; add positions of your own, and the moves that have to be found. */
public class TestBot {
    public static void main(String[] arguments) throws IOException {
        List<String> lines = Files.readAllLines(Path.of("positions.jsonl"));
        Map<String, Object> hello = ArenaBot.object(ArenaBot.read(lines.get(0)));
        int wrong = 0;
        for (String line : lines.subList(1, lines.size())) {
            ArenaBot.Request request = new ArenaBot.Request(hello, ArenaBot.object(ArenaBot.read(line)));
            String move = Main.choose(request);
            if (!request.legal.contains(move)) {
                System.out.println("ply " + request.ply + ": " + move + " is not legal");
                wrong++;
            }
        }
        System.out.println(lines.size() - 1 + " positions, " + wrong + " illegal moves");
        System.exit(wrong > 0 ? 1 : 0);
    }
}
