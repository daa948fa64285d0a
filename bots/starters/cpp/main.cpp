// A bot: it plays the legal move that it finds best. Make value() think, and it plays better.
#include "arena_bot.hpp"

#include <limits>
#include <string>

// So many seconds before the time is over it answers with the best that it has.
static const double SPARE = 0.05;

// How good a move is: the higher, the better. Your search begins here.
//
// request.state is the position, request.seat is you (0 or 1), and README.md shows an example.
static double value(const Request &request, const std::string &move) {
    (void)request;
    (void)move;
    return 0;
}

// The legal move with the highest value, the first one of several.
std::string choose(const Request &request) {
    std::string best = request.legal.front();
    double highest = -std::numeric_limits<double>::infinity();
    for (const std::string &move : request.legal) {
        if (request.seconds_left() < SPARE) break;
        double found = value(request, move);
        if (found > highest) {
            highest = found;
            best = move;
        }
    }
    return best;
}

#ifndef TESTING  // test_bot.cpp brings a main() of its own
int main() {
    return arena_run(choose);
}
#endif
