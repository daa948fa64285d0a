// A bot: it plays the legal move that it finds best. Make value() think, and it plays better.

import java.io.IOException;

/** The bot; the arena starts the class Main. */
public class Main {
    /** So many seconds before the time is over it answers with the best that it has. */
    private static final double SPARE = 0.05;

    /**
     * How good a move is: the higher, the better. Your search begins here.
     *
     * <p>request.state is the position, request.seat is you (0 or 1), and README.md shows an example.
     */
    static double value(ArenaBot.Request request, String move) {
        return 0;
    }

    /** The legal move with the highest value, the first one of several. */
    static String choose(ArenaBot.Request request) {
        String best = request.legal.get(0);
        double highest = Double.NEGATIVE_INFINITY;
        for (String move : request.legal) {
            if (request.secondsLeft() < SPARE) {
                break;
            }
            double value = value(request, move);
            if (value > highest) {
                highest = value;
                best = move;
            }
        }
        return best;
    }

    public static void main(String[] arguments) throws IOException {
        ArenaBot.run(Main::choose);
    }
}
