// A bot that searches: alpha-beta, one ply deeper each time until its time is over.
//
// Save the game's rules.hpp beside it. All but the name of the game and `value` is the same for every game.
#include "rules.hpp"
using namespace reversed_reversi;

#include <algorithm>
#include <chrono>
#include <iostream>
#include <utility>

constexpr double SHARE = 0.4;  // the part of a move's time that is used
constexpr int DEEPEST = 60;
constexpr int WON = 1'000'000;

using Clock = std::chrono::steady_clock;

struct OutOfTime {};

Clock::time_point deadline;

// What a position of Reversi is thought to be worth for the side to move: discs, and ten for a corner.
// For another game begin with `return 0`, and then think of something better.
int value(const State& state) {
    int size = state.size;
    Bits corners = 0;
    for (int corner : {0, size - 1, size * (size - 1), size * size - 1}) corners |= Bits{1} << corner;
    int ahead = count(state.own) - count(state.opp);
    ahead += 10 * (count(state.own & corners) - count(state.opp & corners));
    return state.fewest ? -ahead : ahead;
}

// What the end of a game is worth for the side that would move: a win soon is better than one late.
int final_value(const State& state, int ply) {
    int winner = state.result()->winner;
    if (winner < 0) return 0;
    return winner == state.seat() ? WON - ply : ply - WON;
}

// What a position is worth for the side to move, where that lies between `low` and `high`.
int search(const State& state, int depth, int ply, int low, int high) {
    if (Clock::now() > deadline) throw OutOfTime{};
    std::vector<Move> moves = state.legal_moves();
    if (moves.empty()) return final_value(state, ply);
    if (depth == 0) return value(state);
    for (Move move : moves) {
        low = std::max(low, -search(state.play(move), depth - 1, ply + 1, -high, -low));
        if (low >= high) break;
    }
    return low;
}

// The place of the first of the moves that are worth most, and what it is worth.
std::pair<std::size_t, int> best_of(const State& state, const std::vector<Move>& moves, int depth) {
    std::pair<std::size_t, int> best{0, -WON};
    for (std::size_t i = 0; i < moves.size(); i++) {
        int worth = -search(state.play(moves[i]), depth - 1, 1, -WON, -best.second);
        if (worth > best.second) best = {i, worth};
    }
    return best;
}

// The best move by searches of 1, 2, 3 … plies: that of the deepest search that was finished.
Move choose(const State& state) {
    std::vector<Move> moves = state.legal_moves();
    try {
        for (int depth = 1; depth <= DEEPEST; depth++) {
            auto [best, worth] = best_of(state, moves, depth);
            auto first = moves.begin();
            std::rotate(first, first + best, first + best + 1);  // looked at first, it cuts off most
            if (std::abs(worth) > WON - DEEPEST) break;          // who wins is known
        }
    } catch (OutOfTime) {
    }
    return moves[0];
}

int main() {
    std::string hello;
    for (std::string line; std::getline(std::cin, line);) {
        if (line.find("\"type\":\"hello\"") != line.npos) {
            hello = line;
            std::cout << R"({"type":"ready","protocol":"arena/1","name":"searcher"})" << std::endl;
        } else if (line.find("\"type\":\"move\"") != line.npos) {
            double milliseconds = SHARE * std::atof(field(line, "time", "move_ms"));
            deadline = Clock::now() + std::chrono::microseconds(static_cast<long>(1000 * milliseconds));
            State state = State::from_request(hello, line);
            std::cout << R"({"type":"move","id":)" << std::atol(field(line, "type", "id")) << R"(,"move":")"
                      << state.text(choose(state)) << "\"}" << std::endl;
        } else if (line.find("\"type\":\"end\"") != line.npos) {
            break;
        }
    }
}
