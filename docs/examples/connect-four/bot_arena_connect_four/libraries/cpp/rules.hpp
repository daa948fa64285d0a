// The rules of Connect Four, to search with. Copy this one file beside your bot; it needs nothing
// else (C++17).
//
//     #include "rules.hpp"
//     using namespace connect_four;
//
//     State state = State::from_request(hello_line, request_line);   // the lines as the referee wrote them
//     for (Move move : state.legal_moves()) {   // none when the game is over
//         State after = state.play(move);       // a new state; the old one stays as it was
//         after.result();                       // nothing while the game goes on
//     }
//     state.text(move)                          // what the referee takes: "4"
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

namespace connect_four {

using Move = int;  // a column from the left, from 0

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

constexpr int COLUMNS = 7, ROWS = 6;
constexpr int HIGH = ROWS + 1;  // a column's bits: its squares from the bottom, and one that is always empty
constexpr std::uint64_t COLUMN = (std::uint64_t{1} << ROWS) - 1;

// Whether four stand in a line: upright, level, or on either diagonal.
inline bool lined_up(std::uint64_t discs) {
    for (int step : {1, HIGH, HIGH - 1, HIGH + 1}) {
        std::uint64_t pairs = discs & discs >> step;
        if (pairs & pairs >> 2 * step) return true;
    }
    return false;
}

struct State {
    std::uint64_t own = 0;  // the discs of the side to move
    std::uint64_t opp = 0;  // the other's
    int to_move = 0;        // a seat; 0 is X

    // Where the game of a hello begins.
    static State initial(const std::string&) { return {}; }

    // The position of a request, in the match of a hello.
    static State from_request(const std::string&, const std::string& request) {
        std::uint64_t cross = 0, nought = 0;
        int square = 0;
        for (const char* at = field(request, "state", "board"); *at && *at != ']'; at++) {
            if (*at != 'X' && *at != 'O' && *at != '.') continue;
            std::uint64_t bit = std::uint64_t{1} << (square % COLUMNS * HIGH + ROWS - 1 - square / COLUMNS);
            if (*at == 'X') cross |= bit;
            if (*at == 'O') nought |= bit;
            square++;
        }
        if (std::atoi(field(request, "state", "to_move")) == 0) return {cross, nought, 0};
        return {nought, cross, 1};
    }

    // The position as requests have it.
    std::string to_json() const {
        std::uint64_t cross = to_move == 0 ? own : opp, nought = to_move == 0 ? opp : own;
        std::string rows;
        for (int square = 0; square < COLUMNS * ROWS; square++) {
            int at = square % COLUMNS * HIGH + ROWS - 1 - square / COLUMNS;
            if (square && square % COLUMNS == 0) rows += "\",\"";
            rows += cross >> at & 1 ? 'X' : nought >> at & 1 ? 'O' : '.';
        }
        return "{\"board\":[\"" + rows + "\"],\"to_move\":" + std::to_string(to_move) + "}";
    }

    int seat() const { return to_move; }

    // The columns that are not full, from the left; none when four are in a line.
    std::vector<Move> legal_moves() const {
        std::vector<Move> moves;
        if (lined_up(opp)) return moves;
        for (int column = 0; column < COLUMNS; column++)
            if (~(own | opp) & COLUMN << column * HIGH) moves.push_back(column);
        return moves;
    }

    // The position after a legal move: the disc lies on what is there.
    State play(Move move) const {
        std::uint64_t taken = own | opp, column = COLUMN << move * HIGH;
        std::uint64_t disc = (taken + (std::uint64_t{1} << move * HIGH)) & column & ~taken;
        return {opp, own | disc, 1 - to_move};
    }

    // Whoever has just made a line of four has won; a full board is a draw.
    std::optional<Result> result() const {
        if (lined_up(opp)) return Result{1 - to_move, "four_in_line", {to_move == 1, to_move == 0}};
        if (!legal_moves().empty()) return std::nullopt;
        return Result{-1, "board_full", {0, 0}};
    }

    std::string text(Move move) const { return std::to_string(move + 1); }

    // The move of a text.
    Move move(const std::string& text) const { return std::atoi(text.c_str()) - 1; }

    bool operator==(const State& other) const {
        return own == other.own && opp == other.opp && to_move == other.to_move;
    }

    std::size_t hash() const {
        std::uint64_t mixed = own * 0x9E3779B97F4A7C15u ^ opp * 0xC2B2AE3D27D4EB4Fu;
        return mixed ^ mixed >> 31;
    }
};

}  // namespace connect_four
