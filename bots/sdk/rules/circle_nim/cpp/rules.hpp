// The rules of Circle Nim, to search with. Copy this one file beside your bot; it needs nothing else (C++17).
//
//     #include "rules.hpp"
//     using namespace circle_nim;
//
//     State state = State::from_request(hello_line, request_line);   // the lines as the referee wrote them
//     for (Move move : state.legal_moves()) {   // none when the game is over
//         State after = state.play(move);       // a new state; the old one stays as it was
//         after.result();                       // nothing while the game goes on
//     }
//     state.text(move)                          // what the referee takes: "4-5-6"
//
// `==` and `hash()` are there for a table of what you know of positions. `play` trusts you: what comes of a
// move that is not among the legal ones is nothing.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <string>
#include <vector>

namespace circle_nim {

using Move = int;  // the number of a line of circles

struct Result {
    int winner;  // a seat; -1 for a draw
    std::string reason;
    std::array<int, 2> score;
};

struct Line {
    std::uint32_t bits = 0;
    std::string text;
};

// All that can be taken from a full triangle.
inline std::vector<Line> make_lines(int rows) {
    std::vector<std::vector<int>> found;
    const int steps[3][2] = {{0, 1}, {1, 0}, {1, 1}};  // along the row, and down either slope
    for (int row = 0; row < rows; row++)
        for (int place = 0; place <= row; place++)
            for (auto [down, right] : steps) {
                std::vector<int> line;
                for (int r = row, p = place; r < rows && p <= r && line.size() < 3; r += down, p += right) {
                    line.push_back(r * (r + 1) / 2 + p + 1);
                    found.push_back(line);
                }
            }
    std::sort(found.begin(), found.end(), [](const auto& a, const auto& b) {
        return a.size() != b.size() ? a.size() < b.size() : a < b;
    });
    found.erase(std::unique(found.begin(), found.end()), found.end());
    std::vector<Line> lines;
    for (const auto& circles : found) {
        Line line;
        for (int number : circles) {
            line.bits |= std::uint32_t{1} << (number - 1);
            line.text += (line.text.empty() ? "" : "-") + std::to_string(number);
        }
        lines.push_back(line);
    }
    return lines;
}

inline const std::vector<Line>& lines_of(int rows) {
    static const std::vector<std::vector<Line>> known = [] {
        std::vector<std::vector<Line>> all;
        for (int each = 0; each <= 7; each++) all.push_back(make_lines(each));
        return all;
    }();
    return known[rows];
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
    std::uint32_t left = 0;  // bit i: circle i + 1 is still there
    int to_move = 0;
    int rows = 5;

    // Where the game of a hello begins.
    static State initial(const std::string& hello) {
        int rows = std::atoi(field(hello, "params", "rows"));
        return {(std::uint32_t{1} << rows * (rows + 1) / 2) - 1, 0, rows};
    }

    // The position of a request, in the match of a hello.
    static State from_request(const std::string& hello, const std::string& request) {
        State state;
        state.rows = std::atoi(field(hello, "params", "rows"));
        state.to_move = std::atoi(field(request, "state", "to_move"));
        for (int number : numbers(field(request, "state", "left")))
            state.left |= std::uint32_t{1} << (number - 1);
        return state;
    }

    // The position as requests have it.
    std::string to_json() const {
        std::string text;
        for (int number = 0; number < 28; number++)
            if (left >> number & 1) text += (text.empty() ? "" : ",") + std::to_string(number + 1);
        return "{\"left\":[" + text + "],\"to_move\":" + std::to_string(to_move) + "}";
    }

    int seat() const { return to_move; }

    // What the seat can take: single circles, then pairs, then threes.
    std::vector<Move> legal_moves() const {
        std::vector<Move> moves;
        const auto& lines = lines_of(rows);
        for (std::size_t i = 0; i < lines.size(); i++)
            if ((lines[i].bits & left) == lines[i].bits) moves.push_back(static_cast<Move>(i));
        return moves;
    }

    // The position after a legal move.
    State play(Move move) const { return {left ^ lines_of(rows)[move].bits, 1 - to_move, rows}; }

    // Whoever took the last circle has lost.
    std::optional<Result> result() const {
        if (left) return std::nullopt;
        return Result{to_move, "left_the_last", {to_move == 0, to_move == 1}};
    }

    std::string text(Move move) const { return lines_of(rows)[move].text; }

    // The move of a text, among all of this board; -1 where there is none.
    Move move(const std::string& text) const {
        const auto& lines = lines_of(rows);
        for (std::size_t i = 0; i < lines.size(); i++)
            if (lines[i].text == text) return static_cast<Move>(i);
        return -1;
    }

    bool operator==(const State& other) const { return left == other.left && to_move == other.to_move; }

    std::size_t hash() const { return std::size_t{left} * 2 + to_move; }
};

}  // namespace circle_nim
