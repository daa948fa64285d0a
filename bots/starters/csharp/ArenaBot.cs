// The kit: it talks with the referee, so that your bot only has to choose. You need not change it.

using System;
using System.Collections.Generic;
using System.Diagnostics;
using System.Globalization;
using System.IO;
using System.Linq;
using System.Text;

/// <summary>One question: what do you play here?</summary>
public class Request {
    /// <summary>The position, as README.md shows it: Dictionaries, Lists, strings, doubles and bools.</summary>
    public readonly Dictionary<string, object> State;
    /// <summary>The moves to choose from.</summary>
    public readonly List<string> Legal;
    /// <summary>All moves so far.</summary>
    public readonly List<string> History;
    /// <summary>The parameters of the game.</summary>
    public readonly Dictionary<string, object> Params;
    /// <summary>0 or 1: you.</summary>
    public readonly int Seat;
    /// <summary>How many moves have been played.</summary>
    public readonly int Ply;

    private readonly Stopwatch passed = Stopwatch.StartNew();
    private readonly double allowed;

    public Request(Dictionary<string, object> hello, Dictionary<string, object> message) {
        State = Json.Object(message["state"]);
        Legal = Json.Texts(message["legal"]);
        History = Json.Texts(message["history"]);
        Params = Json.Object(Json.Object(hello["game"])["params"]);
        Seat = (int)(double)hello["seat"];
        Ply = (int)(double)message["ply"];
        allowed = (double)Json.Object(message["time"])["move_ms"] / 1000;
    }

    public double SecondsLeft() {
        return allowed - passed.Elapsed.TotalSeconds;
    }
}

public static class ArenaBot {
    /// <summary>Plays a match with your bot. Whatever it prints by Console goes to stderr.</summary>
    public static void Run(Func<Request, string> choose) {
        var plain = new UTF8Encoding(false);
        var input = new StreamReader(Console.OpenStandardInput(), plain);
        var output = new StreamWriter(Console.OpenStandardOutput(), plain) { AutoFlush = true, NewLine = "\n" };
        Console.SetOut(Console.Error);
        Dictionary<string, object> hello = null;
        for (string line = input.ReadLine(); line != null; line = input.ReadLine()) {
            var message = Json.Object(Json.Read(line));
            switch ((string)message["type"]) {
                case "hello":
                    hello = message;
                    output.WriteLine("{\"type\":\"ready\",\"protocol\":\"arena/1\"}");
                    break;
                case "move":
                    string move = choose(new Request(hello, message));
                    string id = ((long)(double)message["id"]).ToString(CultureInfo.InvariantCulture);
                    output.WriteLine("{\"type\":\"move\",\"id\":" + id + ",\"move\":\"" + move + "\"}");
                    break;
                case "end":
                    return;
            }
        }
    }
}

/// <summary>Reads a line of JSON.</summary>
public class Json {
    private readonly string text;
    private int at;

    private Json(string line) {
        text = line;
    }

    public static object Read(string line) {
        return new Json(line).Value();
    }

    public static Dictionary<string, object> Object(object value) {
        return (Dictionary<string, object>)value;
    }

    public static List<string> Texts(object value) {
        return ((List<object>)value).Cast<string>().ToList();
    }

    private object Value() {
        if (Take('"')) return Word();
        if (Take('[')) return Items();
        if (Take('{')) return Named();
        int start = at;
        while (at < text.Length && ",]} \t\r".IndexOf(text[at]) < 0) at++;
        string found = text.Substring(start, at - start);
        switch (found) {
            case "null": return null;
            case "true": return true;
            case "false": return false;
            default: return double.Parse(found, CultureInfo.InvariantCulture);
        }
    }

    private List<object> Items() {
        var found = new List<object>();
        if (Take(']')) return found;
        do found.Add(Value());
        while (Take(','));
        Need(']');
        return found;
    }

    private Dictionary<string, object> Named() {
        var found = new Dictionary<string, object>();
        if (Take('}')) return found;
        do {
            Need('"');
            string name = Word();
            Need(':');
            found[name] = Value();
        } while (Take(','));
        Need('}');
        return found;
    }

    // The text up to the closing quotation mark.
    private string Word() {
        var found = new StringBuilder();
        while (text[at] != '"') {
            char sign = text[at++];
            if (sign != '\\') {
                found.Append(sign);
                continue;
            }
            sign = text[at++];
            int which = "bfnrt".IndexOf(sign);
            if (which >= 0) {
                found.Append("\b\f\n\r\t"[which]);
            } else if (sign == 'u') {
                found.Append((char)int.Parse(text.Substring(at, 4), NumberStyles.HexNumber));
                at += 4;
            } else {
                found.Append(sign);
            }
        }
        at++;
        return found.ToString();
    }

    private bool Take(char wanted) {
        while (at < text.Length && " \t\r".IndexOf(text[at]) >= 0) at++;
        if (at >= text.Length || text[at] != wanted) return false;
        at++;
        return true;
    }

    private void Need(char wanted) {
        if (!Take(wanted)) throw new FormatException("this is no JSON: " + text);
    }
}
