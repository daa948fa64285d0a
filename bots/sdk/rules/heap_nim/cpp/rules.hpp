// The rules of Heap Nim, to search with. Copy this one file beside your bot; it needs nothing else (C++17).
//
//     #include "rules.hpp"
//     using namespace heap_nim;
//
//     State state = State::from_request(hello_line, request_line);   // the lines as the referee wrote them
//     for (Move move : state.legal_moves()) {   // none when the game is over
//         State after = state.play(move);       // a new state; the old one stays as it was
//         after.result();                       // nothing while the game goes on
//     }
//     state.text(move)                          // what the referee takes: "2:1"
//
// `==` and `hash()` are there for a table of what you know of positions. `play` trusts you: what comes of a
// move that is not among the legal ones is nothing.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <string>
#include <vector>

namespace heap_nim {

using Move = int;  // heap * 1000 + how many are taken, heaps counted from 0

struct Result {
    int winner;  // a seat; -1 for a draw
    std::string reason;
    std::array<int, 2> score;
};

// What follows "name": in a line of JSON as the referee writes it, within the object called `outer`.
inline const char* field(const std::string& line, const std::string& outer, const std::string& name) {
    std::size_t within = line.find("\"" + outer + "\":");
    std::size_t at = line.find("\"" + name + "\":", within == std::string::npos ? 0 : within);
    if (at == std::string::npos) return "";
    at += name.size() + 3;
    while (line[at] == ' ' || line[at] == '"') at++;
    return line.c_str() + at;
}

// The numbers of a list such as [1,2,3].
inline std::vector<int> numbers(const char* at) {
    std::vector<int> found;
    while (*at && *at != ']') {
        char* end = nullptr;
        long number = std::strtol(at, &end, 10);
        if (end != at) found.push_back(static_cast<int>(number));
        at = end != at ? end : at + 1;
    }
    return found;
}

struct State {
    std::array<std::int16_t, 10> heaps{};  // what each holds; those beyond `count` nothing
    int count = 0;
    int to_move = 0;
    bool misere = false;

    // Where the game of a hello begins.
    static State initial(const std::string& hello) { return read(hello, "params", hello, 0); }

    // The position of a request, in the match of a hello.
    static State from_request(const std::string& hello, const std::string& request) {
        return read(request, "state", hello, std::atoi(field(request, "state", "to_move")));
    }

    // The position as requests have it.
    std::string to_json() const {
        std::string held;
        for (int heap = 0; heap < count; heap++) held += (heap ? "," : "") + std::to_string(heaps[heap]);
        return "{\"heaps\":[" + held + "],\"to_move\":" + std::to_string(to_move) + "}";
    }

    int seat() const { return to_move; }

    // Any number from any heap, heap by heap, the smallest number first.
    std::vector<Move> legal_moves() const {
        std::vector<Move> moves;
        for (int heap = 0; heap < count; heap++)
            for (int taken = 1; taken <= heaps[heap]; taken++) moves.push_back(heap * 1000 + taken);
        return moves;
    }

    // The position after a legal move.
    State play(Move move) const {
        State after = *this;
        after.heaps[move / 1000] -= static_cast<std::int16_t>(move % 1000);
        after.to_move = 1 - to_move;
        return after;
    }

    // Whoever took the last one has won, or lost with `misere`.
    std::optional<Result> result() const {
        for (int held : heaps)
            if (held) return std::nullopt;
        int winner = misere ? to_move : 1 - to_move;
        return Result{winner, misere ? "left_the_last" : "took_the_last", {winner == 0, winner == 1}};
    }

    std::string text(Move move) const {
        return std::to_string(move / 1000 + 1) + ":" + std::to_string(move % 1000);
    }

    // The move of a text.
    Move move(const std::string& text) const {
        return (std::atoi(text.c_str()) - 1) * 1000 + std::atoi(text.c_str() + text.find(':') + 1);
    }

    bool operator==(const State& other) const { return heaps == other.heaps && to_move == other.to_move; }

    std::size_t hash() const {
        std::uint64_t mixed = to_move + 1;
        for (int held : heaps) mixed = (mixed ^ held) * 0x9E3779B97F4A7C15u, mixed ^= mixed >> 29;
        return mixed;
    }

private:
    static State read(const std::string& line, const char* outer, const std::string& hello, int to_move) {
        State state;
        for (int held : numbers(field(line, outer, "heaps")))
            state.heaps[state.count++] = static_cast<std::int16_t>(held);
        state.to_move = to_move;
        state.misere = *field(hello, "params", "misere") == 't';
        return state;
    }
};

}  // namespace heap_nim
