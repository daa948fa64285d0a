// The rules of Reversed Reversi, to search with. Copy this one file beside your bot; it needs nothing else
// but g++ or clang (C++17 and 128-bit numbers).
//
//     #include "rules.hpp"
//     using namespace reversed_reversi;
//
//     State state = State::from_request(hello_line, request_line);   // the lines as the referee wrote them
//     for (Move move : state.legal_moves()) {   // none when the game is over
//         State after = state.play(move);       // a new state; the old one stays as it was
//         after.result();                       // nothing while the game goes on
//     }
//     state.text(move)                          // what the referee takes: "d3"
//
// Where a side can place nothing and the other can, the one legal move is a pass; the referee plays it for
// you, but a search meets it. `==` and `hash()` are there for a table of what you know of positions. `play`
// trusts you: what comes of a move that is not among the legal ones is nothing.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <string>
#include <vector>

namespace reversed_reversi {

using Move = int;  // a square, row by row from a1, which is 0; the one after the last is the pass

__extension__ typedef unsigned __int128 Bits;  // bit i is square i

struct Result {
    int winner;  // a seat; -1 for a draw
    std::string reason;
    std::array<int, 2> score;
};

// How far the next square of a line is, and what may lie between its ends without wrapping around.
template <class Board>
struct Steps {
    Board full = 0;
    std::array<int, 4> by{};
    std::array<Board, 4> between{};

    Steps(int size, int rows) : by{1, size, size - 1, size + 1} {
        for (int square = 0; square < size * rows; square++) {
            Board bit = Board{1} << square;
            bool inner = square % size != 0 && square % size != size - 1;
            full |= bit;
            for (int i = 0; i < 4; i++)
                if (inner || i == 1) between[i] |= bit;
        }
    }
};

const int LONGEST = 10;

// For every board that there is room for.
template <class Board>
std::vector<Steps<Board>> all_steps() {
    std::vector<Steps<Board>> all;
    for (int rows = 0; rows <= LONGEST; rows++)
        for (int size = 0; size <= LONGEST; size++)
            all.emplace_back(size, size * rows <= static_cast<int>(8 * sizeof(Board)) ? rows : 0);
    return all;
}

template <class Board>
const Steps<Board>& steps_of(int size, int rows) {
    static const std::vector<Steps<Board>> known = all_steps<Board>();
    return known[static_cast<std::size_t>(rows * (LONGEST + 1) + size)];
}

// Where a disc of `own` turns over some of `opp`: the ends of their runs beside `own`.
template <class Board>
Board places(Board own, Board opp, int size, int rows) {
    const Steps<Board>& steps = steps_of<Board>(size, rows);
    Board ends = 0;
    for (int i = 0; i < 4; i++) {
        int by = steps.by[i];
        Board between = opp & steps.between[i];
        for (Board run = own << by & between; run; run &= between) run <<= by, ends |= run;
        for (Board run = own >> by & between; run; run &= between) run >>= by, ends |= run;
    }
    return ends & steps.full & ~(own | opp);
}

// What a disc of `own` turns over: the runs of `opp` from it that end at another of `own`.
template <class Board>
Board turned(Board own, Board opp, int square, int size, int rows) {
    const Steps<Board>& steps = steps_of<Board>(size, rows);
    Board all = 0, disc = Board{1} << square;
    for (int i = 0; i < 4; i++) {
        int by = steps.by[i];
        Board between = opp & steps.between[i], line = 0, run = disc << by;
        for (; run & between; run <<= by) line |= run;
        if (run & own) all |= line;
        line = 0, run = disc >> by;
        for (; run & between; run >>= by) line |= run;
        if (run & own) all |= line;
    }
    return all;
}

inline int count(Bits board) {
    return __builtin_popcountll(static_cast<std::uint64_t>(board)) +
           __builtin_popcountll(static_cast<std::uint64_t>(board >> 64));
}

// What follows "name": in a line of JSON as the referee writes it, within the object called `outer`.
inline const char* field(const std::string& line, const std::string& outer, const std::string& name) {
    std::size_t within = line.find("\"" + outer + "\":");
    std::size_t at = line.find("\"" + name + "\":", within == std::string::npos ? 0 : within);
    if (at == std::string::npos) return "";
    at += name.size() + 3;
    while (line[at] == ' ' || line[at] == '"') at++;
    return line.c_str() + at;
}

struct State {
    Bits own = 0;     // the discs of the side to move
    Bits opp = 0;     // the other's
    int to_move = 0;  // a seat; 0 is X
    int size = 8;     // squares from left to right
    int rows = 8;     // squares from top to bottom
    bool fewest = true;

    // Where the game of a hello begins.
    static State initial(const std::string& hello) {
        State state = empty(hello);
        int upper = (state.rows / 2 - 1) * state.size + state.size / 2 - 1, lower = upper + state.size;
        state.own = Bits{1} << upper | Bits{1} << (lower + 1);
        state.opp = Bits{1} << (upper + 1) | Bits{1} << lower;
        return state;
    }

    // The position of a request, in the match of a hello.
    static State from_request(const std::string& hello, const std::string& request) {
        State state = empty(hello);
        int square = 0;
        for (const char* at = field(request, "state", "board"); *at && *at != ']'; at++) {
            if (*at == 'X') state.own |= Bits{1} << square;
            if (*at == 'O') state.opp |= Bits{1} << square;
            square += *at == 'X' || *at == 'O' || *at == '.';
        }
        return *field(request, "state", "to_move") == 'X' ? state : state.passed();
    }

    // The position as requests have it.
    std::string to_json() const {
        Bits cross = to_move == 0 ? own : opp, nought = to_move == 0 ? opp : own;
        std::string lines;
        for (int square = 0; square < squares(); square++) {
            if (square % size == 0) lines += square ? "\",\"" : "\"";
            lines += cross >> square & 1 ? 'X' : nought >> square & 1 ? 'O' : '.';
        }
        return "{\"board\":[" + lines + "\"],\"to_move\":\"" + "XO"[to_move] + "\"}";
    }

    int squares() const { return size * rows; }

    int seat() const { return to_move; }

    // The squares that turn something over, from a1 on; else a pass; else, at the end, nothing.
    std::vector<Move> legal_moves() const {
        std::vector<Move> moves;
        Bits free = where(own, opp);
        for (auto part = static_cast<std::uint64_t>(free); part; part &= part - 1)
            moves.push_back(__builtin_ctzll(part));
        for (auto part = static_cast<std::uint64_t>(free >> 64); part; part &= part - 1)
            moves.push_back(64 + __builtin_ctzll(part));
        if (!free && where(opp, own)) moves.push_back(squares());
        return moves;
    }

    // The position after a legal move.
    State play(Move move) const {
        if (move == squares()) return passed();
        Bits over = small() ? turned(low(own), low(opp), move, size, rows) : turned(own, opp, move, size, rows);
        return {opp ^ over, own | over | Bits{1} << move, 1 - to_move, size, rows, fewest};
    }

    // When neither side can place a disc, fewer win; with `reversed` false, more.
    std::optional<Result> result() const {
        if (where(own, opp) || where(opp, own)) return std::nullopt;
        std::array<int, 2> score = discs();
        if (score[0] == score[1]) return Result{-1, "equal_discs", score};
        return Result{(score[0] > score[1]) == fewest, fewest ? "fewest_discs" : "most_discs", score};
    }

    // How many discs each seat has.
    std::array<int, 2> discs() const {
        return to_move == 0 ? std::array{count(own), count(opp)} : std::array{count(opp), count(own)};
    }

    std::string text(Move move) const {
        if (move == squares()) return "pass";
        return static_cast<char>('a' + move % size) + std::to_string(move / size + 1);
    }

    // The move of a text.
    Move move(const std::string& text) const {
        if (text == "pass") return squares();
        return text[0] - 'a' + (std::atoi(text.c_str() + 1) - 1) * size;
    }

    bool operator==(const State& other) const {
        return own == other.own && opp == other.opp && to_move == other.to_move;
    }

    std::size_t hash() const {
        Bits mixed = own * 0x9E3779B97F4A7C15u + opp * 0xC2B2AE3D27D4EB4Fu + to_move;
        return static_cast<std::size_t>(mixed ^ mixed >> 64) ^ static_cast<std::size_t>(mixed >> 29);
    }

private:
    static State empty(const std::string& hello) {
        bool fewest = *field(hello, "params", "reversed") != 'f';
        int size = std::atoi(field(hello, "params", "size")), rows = std::atoi(field(hello, "params", "rows"));
        return {0, 0, 0, size, rows ? rows : size, fewest};
    }

    State passed() const { return {opp, own, 1 - to_move, size, rows, fewest}; }
    bool small() const { return squares() <= 64; }  // 64 bits are twice as fast as 128
    static std::uint64_t low(Bits board) { return static_cast<std::uint64_t>(board); }

    Bits where(Bits mine, Bits theirs) const {
        return small() ? places(low(mine), low(theirs), size, rows) : places(mine, theirs, size, rows);
    }
};

}  // namespace reversed_reversi
