// The rules of Rhombic Chess, to search with. Copy this one file beside your bot; it needs nothing
// else (C++17).
//
//     #include "rules.hpp"
//     using namespace rhombic_chess;
//
//     State state = State::from_request(hello_line, request_line);   // the lines as the referee wrote them
//     for (Move move : state.legal_moves()) {   // none when the game is over
//         State after = state.play(move);       // a new state; the old one stays as it was
//         after.result();                       // nothing while the game goes on
//     }
//     state.text(move)                          // what the referee takes: "7-3"
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

namespace rhombic_chess {

using Move = int;  // placing: the point, from 0; moving: 100 + from * 13 + to

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

constexpr int POINTS = 13, STONES = 5, MOVING = 100;

// For each point the bits of those that a stone can move to from it.
constexpr std::array<int, POINTS> make_neighbours() {
    constexpr int joined[][2] = {{1, 2}, {1, 4},  {2, 3},  {2, 5},  {2, 6},  {3, 4},   {3, 7},
                                 {4, 8}, {4, 9},  {5, 10}, {6, 7},  {6, 10}, {7, 8},   {7, 11},
                                 {8, 12}, {9, 12}, {10, 11}, {10, 13}, {11, 12}, {12, 13}};
    std::array<int, POINTS> found{};
    for (const auto& line : joined) {
        found[line[0] - 1] |= 1 << (line[1] - 1);
        found[line[1] - 1] |= 1 << (line[0] - 1);
    }
    return found;
}

constexpr std::array<int, POINTS> NEIGHBOURS = make_neighbours();

struct State {
    int own = 0;  // bit i: a stone of the side to move on point i + 1
    int opp = 0;
    int to_move = 0;  // a seat; 0 is X

    // Where the game of a hello begins.
    static State initial(const std::string&) { return {}; }

    // The position of a request, in the match of a hello.
    static State from_request(const std::string&, const std::string& request) {
        int cross = 0, nought = 0, point = 1;
        for (const char* at = field(request, "state", "board"); *at && *at != ']'; at++) {
            if (*at == 'X') cross |= point;
            if (*at == 'O') nought |= point;
            if (*at == 'X' || *at == 'O' || *at == '.') point <<= 1;
        }
        if (*field(request, "state", "to_move") == 'X') return {cross, nought, 0};
        return {nought, cross, 1};
    }

    // The position as requests have it.
    std::string to_json() const {
        int cross = to_move == 0 ? own : opp, nought = to_move == 0 ? opp : own;
        std::string rows;
        for (int point = 0; point < POINTS; point++) {
            if (point == 1 || point == 4 || point == 9 || point == 12) rows += "\",\"";
            rows += cross >> point & 1 ? 'X' : nought >> point & 1 ? 'O' : '.';
        }
        return "{\"board\":[\"" + rows + "\"],\"to_move\":\"" + "XO"[to_move] + "\"}";
    }

    int seat() const { return to_move; }

    // Every empty point while stones are placed; then every own stone with every empty neighbour.
    std::vector<Move> legal_moves() const {
        std::vector<Move> moves;
        int taken = own | opp;
        bool placing = __builtin_popcount(own) < STONES;
        for (int point = 0; point < POINTS; point++) {
            if (placing && !(taken >> point & 1)) moves.push_back(point);
            if (placing || !(own >> point & 1)) continue;
            for (int ends = NEIGHBOURS[point] & ~taken; ends; ends &= ends - 1)
                moves.push_back(MOVING + point * POINTS + __builtin_ctz(ends));
        }
        return moves;
    }

    // The position after a legal move.
    State play(Move move) const {
        int changed = 1 << move % MOVING;
        if (move >= MOVING) changed = 1 << (move - MOVING) / POINTS | 1 << (move - MOVING) % POINTS;
        return {opp, own ^ changed, 1 - to_move};
    }

    // Whoever is to move and cannot has lost.
    std::optional<Result> result() const {
        if (!legal_moves().empty()) return std::nullopt;
        return Result{1 - to_move, "blocked", {to_move == 1, to_move == 0}};
    }

    std::string text(Move move) const {
        if (move < MOVING) return std::to_string(move + 1);
        int from = (move - MOVING) / POINTS, to = (move - MOVING) % POINTS;
        return std::to_string(from + 1) + "-" + std::to_string(to + 1);
    }

    // The move of a text.
    Move move(const std::string& text) const {
        std::size_t hyphen = text.find('-');
        int from = std::atoi(text.c_str()) - 1;
        if (hyphen == text.npos) return from;
        return MOVING + from * POINTS + std::atoi(text.c_str() + hyphen + 1) - 1;
    }

    bool operator==(const State& other) const {
        return own == other.own && opp == other.opp && to_move == other.to_move;
    }

    std::size_t hash() const { return ((std::size_t{1} * own << POINTS) + opp) * 2 + to_move; }
};

}  // namespace rhombic_chess
