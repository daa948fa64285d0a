// Whether the bot answers with a legal move in each position of positions.jsonl: make test.
#ifdef TESTING
#include "arena_bot.hpp"

#include <algorithm>
#include <fstream>
#include <iostream>

std::string choose(const Request &request);

int main() {
    std::ifstream positions("positions.jsonl");
    std::string hello, line;
    if (!std::getline(positions, hello)) {
        std::cout << "positions.jsonl cannot be read\n";
        return 1;
    }
    int asked = 0, wrong = 0;
    for (; std::getline(positions, line); asked++) {
        Request request(hello, line);
        std::string move = choose(request);
        if (std::count(request.legal.begin(), request.legal.end(), move) == 0) {
            std::cout << "ply " << request.ply << ": " << move << " is not legal\n";
            wrong++;
        }
    }
    std::cout << asked << " positions, " << wrong << " illegal moves\n";
    return wrong > 0 || asked == 0;
}
#endif
