// Whether the bot answers with a legal move in each position of positions.jsonl: make test.
#if TESTING
using System;
using System.IO;
using System.Linq;

public static class TestBot {
    public static int Main() {
        string[] lines = File.ReadAllLines("positions.jsonl");
        var hello = Json.Object(Json.Read(lines[0]));
        int wrong = 0;
        foreach (string line in lines.Skip(1)) {
            var request = new Request(hello, Json.Object(Json.Read(line)));
            string move = Bot.Choose(request);
            if (!request.Legal.Contains(move)) {
                Console.WriteLine("ply " + request.Ply + ": " + move + " is not legal");
                wrong++;
            }
        }
        Console.WriteLine(lines.Length - 1 + " positions, " + wrong + " illegal moves");
        return wrong > 0 ? 1 : 0;
    }
}
#endif
