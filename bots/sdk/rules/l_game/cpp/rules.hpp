// The rules of the L-Game, to search with. Copy this one file beside your bot; it needs nothing else (C++17).
//
//     #include "rules.hpp"
//     using namespace l_game;
//
//     State state = State::from_request(hello_line, request_line);   // the lines as the referee wrote them
//     for (Move move : state.legal_moves()) {   // none when the game is over
//         State after = state.play(move);       // a new state; the old one stays as it was
//         after.result();                       // nothing while the game goes on
//     }
//     state.text(move)                          // what the referee takes: "c2u/a1-d3"
//
// `==` and `hash()` are there for a table of what you know of positions. `play` trusts you: what comes of a
// move that is not among the legal ones is nothing.
//
// The rules know no draw; a match does, by its `policy`: see `hello` in the protocol, and a request's
// `history`.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <string>
#include <vector>

namespace l_game {

using Move = int;  // place * TAILS, and 0 or 1 + from * 16 + to, where a disc goes

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

constexpr int SIZE = 4, SQUARES = SIZE * SIZE, FULL = (1 << SQUARES) - 1, TAILS = 1 + SQUARES * SQUARES;

// A way to put an L down: the foot's square and the side of the bar, and all four squares as bits.
struct Place {
    int foot;
    char side;
    int squares;
};

inline std::vector<Place> make_places() {
    struct Side {
        char letter;
        int right, down;
    };
    std::vector<Place> found;
    for (int at = 0; at < SQUARES; at++) {
        int row = at / SIZE, column = at % SIZE;
        for (Side side : {Side{'u', 0, -1}, Side{'d', 0, 1}, Side{'l', -1, 0}, Side{'r', 1, 0}}) {
            int x = column + side.right, y = row + side.down, beside = y * SIZE + x;
            if (x < 0 || x >= SIZE || y < 0 || y >= SIZE) continue;
            // The bar goes from beside the foot towards the farther edge.
            int step = side.right ? (row < SIZE / 2 ? SIZE : -SIZE) : (column < SIZE / 2 ? 1 : -1);
            int bar = 1 << beside | 1 << (beside + step) | 1 << (beside + 2 * step);
            found.push_back({at, side.letter, 1 << at | bar});
        }
    }
    return found;
}

inline const std::vector<Place> PLACES = make_places();

inline std::string square_text(int at) { return std::string{"abcd"[at % SIZE]} + "1234"[at / SIZE]; }

inline int square_of(const std::string& text, std::size_t at) {
    return text[at] - 'a' + (text[at + 1] - '1') * SIZE;
}

struct State {
    int own = 0;      // bit i: the L of the side to move is on square i, row by row from a1
    int opp = 0;      // the other L
    int discs = 0;    // the neutral ones
    int to_move = 0;  // a seat; 0 is X

    // Where the game of a hello begins.
    static State initial(const std::string& hello) {
        return from_request(hello, "{\"board\":[\"*XX.\",\".OX.\",\".OX.\",\".OO*\"],\"to_move\":\"X\"}");
    }

    // The position of a request, in the match of a hello.
    static State from_request(const std::string&, const std::string& request) {
        int cross = 0, nought = 0, discs = 0, square = 1;
        for (const char* at = field(request, "state", "board"); *at && *at != ']'; at++) {
            if (*at == 'X') cross |= square;
            if (*at == 'O') nought |= square;
            if (*at == '*') discs |= square;
            if (*at == 'X' || *at == 'O' || *at == '*' || *at == '.') square <<= 1;
        }
        if (*field(request, "state", "to_move") == 'X') return {cross, nought, discs, 0};
        return {nought, cross, discs, 1};
    }

    // The position as requests have it.
    std::string to_json() const {
        int cross = to_move == 0 ? own : opp, nought = to_move == 0 ? opp : own;
        std::string rows;
        for (int at = 0; at < SQUARES; at++) {
            if (at && at % SIZE == 0) rows += "\",\"";
            rows += cross >> at & 1 ? 'X' : nought >> at & 1 ? 'O' : discs >> at & 1 ? '*' : '.';
        }
        return "{\"board\":[\"" + rows + "\"],\"to_move\":\"" + "XO"[to_move] + "\"}";
    }

    int seat() const { return to_move; }

    // Every other place for the L, each with every way to move one disc or none.
    std::vector<Move> legal_moves() const {
        std::vector<Move> moves;
        for (std::size_t i = 0; i < PLACES.size(); i++) {
            int taken = opp | discs | PLACES[i].squares, first = static_cast<int>(i) * TAILS;
            if (!fits(PLACES[i])) continue;
            moves.push_back(first);
            for (int starts = discs; starts; starts &= starts - 1)
                for (int ends = FULL & ~taken; ends; ends &= ends - 1)
                    moves.push_back(first + 1 + __builtin_ctz(starts) * SQUARES + __builtin_ctz(ends));
        }
        return moves;
    }

    // The position after a legal move.
    State play(Move move) const {
        int tail = move % TAILS - 1, after = discs;
        if (tail >= 0) after ^= 1 << tail / SQUARES | 1 << tail % SQUARES;
        return {opp, PLACES[move / TAILS].squares, after, 1 - to_move};
    }

    // Whoever is to move and can put the L nowhere else has lost.
    std::optional<Result> result() const {
        for (const Place& place : PLACES)
            if (fits(place)) return std::nullopt;
        return Result{1 - to_move, "cannot_place", {to_move == 1, to_move == 0}};
    }

    std::string text(Move move) const {
        const Place& place = PLACES[move / TAILS];
        std::string put = square_text(place.foot) + place.side;
        int tail = move % TAILS - 1;
        return tail < 0 ? put : put + "/" + square_text(tail / SQUARES) + "-" + square_text(tail % SQUARES);
    }

    // The move of a text; -1 where there is no such place.
    Move move(const std::string& text) const {
        int tail = text.size() > 3 ? 1 + square_of(text, 4) * SQUARES + square_of(text, 7) : 0;
        for (std::size_t i = 0; i < PLACES.size(); i++)
            if (PLACES[i].foot == square_of(text, 0) && PLACES[i].side == text[2])
                return static_cast<Move>(i) * TAILS + tail;
        return -1;
    }

    bool operator==(const State& other) const {
        return own == other.own && opp == other.opp && discs == other.discs && to_move == other.to_move;
    }

    std::size_t hash() const {
        std::uint64_t mixed = ((std::uint64_t{1} * own << SQUARES | opp) << SQUARES | discs) << 1 | to_move;
        return (mixed ^ mixed >> 25) * 0x9E3779B97F4A7C15u;
    }

private:
    bool fits(const Place& place) const { return !(place.squares & (opp | discs)) && place.squares != own; }
};

}  // namespace l_game
