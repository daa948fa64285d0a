// Asks libraries of rules in C++; a file that includes them and this says which there are.
#pragma once

#include <iostream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

inline std::vector<std::string> split(const std::string& text, char mark) {
    std::vector<std::string> parts;
    std::istringstream stream(text);
    for (std::string part; std::getline(stream, part, mark);) parts.push_back(part);
    return parts;
}

template <class State>
std::string told(const State& state) {
    auto result = state.result();
    if (!result) return "on";
    std::string winner = result->winner < 0 ? "draw" : std::to_string(result->winner);
    return winner + " " + result->reason + " " + std::to_string(result->score[0]) + ":" +
           std::to_string(result->score[1]);
}

template <class State>
std::string answer(const std::string& hello, const std::string& request, const std::string& moves) {
    State state = State::from_request(hello, request);
    std::string legal, after, same;
    for (auto move : state.legal_moves()) legal += (legal.empty() ? "" : ",") + state.text(move);
    for (const std::string& text : split(moves, ',')) {
        State played = state.play(state.move(text));
        State again = State::from_request(hello, played.to_json());
        after += (after.empty() ? "" : ";") + played.to_json() + " " + told(played);
        same += again == played && again.hash() == played.hash() ? "1" : "0";
    }
    std::string positions = State::initial(hello).to_json() + "\t" + state.to_json();
    std::string seat = std::to_string(state.seat());
    return positions + "\t" + seat + "\t" + legal + "\t" + told(state) + "\t" + after + "\t" + same;
}

using Answer = std::string (*)(const std::string&, const std::string&, const std::string&);

inline int drive(const std::map<std::string, Answer>& games) {
    std::ios::sync_with_stdio(false);
    for (std::string line; std::getline(std::cin, line);) {
        std::vector<std::string> question = split(line, '\t');
        question.resize(4);
        std::cout << games.at(question[0])(question[1], question[2], question[3]) << '\n';
    }
    return 0;
}
