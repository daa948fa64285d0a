// A bot: it plays the legal move that it finds best. Make Value() think, and it plays better.

public static class Bot {
    /// <summary>So many seconds before the time is over it answers with the best that it has.</summary>
    private const double Spare = 0.05;

    /// <summary>
    /// How good a move is: the higher, the better. Your search begins here.
    /// request.State is the position, request.Seat is you (0 or 1), and README.md shows an example.
    /// </summary>
    private static double Value(Request request, string move) {
        return 0;
    }

    /// <summary>The legal move with the highest value, the first one of several.</summary>
    public static string Choose(Request request) {
        string best = request.Legal[0];
        double highest = double.NegativeInfinity;
        foreach (string move in request.Legal) {
            if (request.SecondsLeft() < Spare) break;
            double found = Value(request, move);
            if (found > highest) {
                highest = found;
                best = move;
            }
        }
        return best;
    }

#if !TESTING // TestBot.cs brings a Main() of its own
    public static void Main() {
        ArenaBot.Run(Choose);
    }
#endif
}
