// The kit: it talks with the referee, so that your bot only has to choose. You need not change it.
#pragma once

#include <chrono>
#include <cstdlib>
#include <functional>
#include <iostream>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

// A value of JSON: what the referee sends is made of these.
struct Json {
    bool truth = false;                 // of true and false
    double number = 0;                  // of a number
    std::string text;                   // of a text
    std::vector<Json> items;            // of a list
    std::map<std::string, Json> named;  // of an object

    // The item of that name; an empty value where there is none.
    const Json &operator[](const std::string &name) const {
        static const Json nothing;
        auto found = named.find(name);
        return found == named.end() ? nothing : found->second;
    }

    static Json read(const std::string &line);
};

// One question: what do you play here?
struct Request {
    Json state;                        // the position, as README.md shows it
    std::vector<std::string> legal;    // the moves to choose from
    std::vector<std::string> history;  // all moves so far
    Json params;                       // the parameters of the game
    int seat = 0;                      // 0 or 1: you
    int ply = 0;                       // how many moves have been played
    std::string hello_line, line;      // what the referee wrote at the beginning and now

    Request(const std::string &hello_line, const std::string &line) : hello_line(hello_line), line(line) {
        Json hello = Json::read(hello_line), message = Json::read(line);
        state = message["state"];
        params = hello["game"]["params"];
        seat = int(hello["seat"].number);
        ply = int(message["ply"].number);
        until = now() + message["time"]["move_ms"].number / 1000;
        for (const Json &move : message["legal"].items) legal.push_back(move.text);
        for (const Json &move : message["history"].items) history.push_back(move.text);
    }

    double seconds_left() const { return until - now(); }

private:
    double until;

    static double now() {
        return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
    }
};

using Choose = std::function<std::string(const Request &)>;

// Plays a match with your bot.
inline int arena_run(const Choose &choose) {
    std::string hello;
    for (std::string line; std::getline(std::cin, line);) {
        Json message = Json::read(line);
        const std::string &kind = message["type"].text;
        if (kind == "hello") {
            hello = line;
            std::cout << R"({"type":"ready","protocol":"arena/1"})" << std::endl;
        } else if (kind == "move") {
            std::string move = choose(Request(hello, line));
            std::cout << R"({"type":"move","id":)" << (long long)message["id"].number << R"(,"move":")" << move
                      << "\"}" << std::endl;  // endl also sends it: what stays in the buffer is no answer
        } else if (kind == "end") {
            break;
        }
    }
    return 0;
}

// --- reading JSON ------------------------------------------------------------------------------

class JsonReader {
public:
    explicit JsonReader(const std::string &line) : text(line) {}

    Json value() {
        Json found;
        if (take('"')) {
            found.text = word();
        } else if (take('[')) {
            if (!take(']')) {
                do found.items.push_back(value());
                while (take(','));
                need(']');
            }
        } else if (take('{')) {
            if (!take('}')) {
                do {
                    need('"');
                    std::string name = word();
                    need(':');
                    found.named[name] = value();
                } while (take(','));
                need('}');
            }
        } else if (text.compare(at, 4, "true") == 0) {
            found.truth = true;
            at += 4;
        } else if (text.compare(at, 5, "false") == 0) {
            at += 5;
        } else if (text.compare(at, 4, "null") == 0) {
            at += 4;
        } else {
            char *end = nullptr;
            found.number = std::strtod(text.c_str() + at, &end);
            if (end == text.c_str() + at) throw std::runtime_error("this is no JSON: " + text);
            at = size_t(end - text.c_str());
        }
        return found;
    }

private:
    const std::string &text;
    size_t at = 0;

    bool take(char wanted) {
        while (at < text.size() && (text[at] == ' ' || text[at] == '\t' || text[at] == '\r')) at++;
        if (at >= text.size() || text[at] != wanted) return false;
        at++;
        return true;
    }

    void need(char wanted) {
        if (!take(wanted)) throw std::runtime_error("this is no JSON: " + text);
    }

    // The text up to the closing quotation mark.
    std::string word() {
        static const std::map<char, char> signs{{'b', '\b'}, {'f', '\f'}, {'n', '\n'}, {'r', '\r'}, {'t', '\t'}};
        std::string found;
        for (; at < text.size() && text[at] != '"'; at++) {
            if (text[at] != '\\') {
                found += text[at];
                continue;
            }
            char sign = ++at < text.size() ? text[at] : '"';
            if (sign == 'u') {
                add(found, unsigned(std::strtoul(text.substr(at + 1, 4).c_str(), nullptr, 16)));
                at += 4;
            } else {
                found += signs.count(sign) ? signs.at(sign) : sign;
            }
        }
        need('"');
        return found;
    }

    // A letter in UTF-8.
    static void add(std::string &found, unsigned code) {
        if (code < 0x80) {
            found += char(code);
        } else if (code < 0x800) {
            found += char(0xC0 | code >> 6);
            found += char(0x80 | (code & 0x3F));
        } else {
            found += char(0xE0 | code >> 12);
            found += char(0x80 | (code >> 6 & 0x3F));
            found += char(0x80 | (code & 0x3F));
        }
    }
};

inline Json Json::read(const std::string &line) {
    return JsonReader(line).value();
}
