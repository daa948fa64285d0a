/* `champion`, a Reversi player by either rule on boards of 4, 6 and 8 squares a side.

   usage: champion [LEVEL]     LEVEL is from 1, a beginner's, to 8, the best that it can, which it is without one
          champion calibrate SIZE most|fewest POSITIONS SEED      prints a row of `spreads` in reversi_midgame.h

   It speaks the arena's protocol, docs/protocol.md. Its weights are the files `SIZE-most.weights` and
   `SIZE-fewest.weights` beside the program; where there is none it counts moves, corners and discs, and says so; where
   one is damaged it says so and ends with 2. At its best it plays openings from the books `SIZE-most.book` and
   `SIZE-fewest.book`, of which the same holds; without one it searches from the first move. It is one thread, and computes only when it is asked. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "book.h"
#include "calibrate.h"
#include "levels.h"
#include "protocol.h"

#ifndef DEFAULT_LEVEL    /* an archive of the bot at another level begins with that */
#define DEFAULT_LEVEL LEVELS
#endif

enum { MEMORY = 64 << 20, BANK_MOVES = 30, USAGE = 2 };

/* How much of a move's time is used, less what the way to the referee takes; and more than the last of these for a move
   brings too little to let everyone wait. In nanoseconds, but for the share. */
static const double SHARE = 0.9;
static const int64_t MILLISECOND = 1000000, TRANSPORT = 4000000, MOST_TIME = 10000000000;

typedef struct {
    const char *program;
    const Level *level;
    int size;
    uint64_t seed;
    Patterns *patterns;
    Weights *weights;
    Book *book;    /* NULL at all levels but the last */
    Midgame *midgame;
} Champion;

static void refuse(const char *why) {
    fprintf(stderr, "champion: %s\n", why);
    exit(USAGE);
}

/* Make ready for a board and a rule. */
static void set_up(Champion *champion, int size, int fewest) {
    if (champion->midgame) free_midgame(champion->midgame), free_weights(champion->weights), free_patterns(champion->patterns);
    free(champion->book);
    champion->size = size;
    champion->patterns = new_patterns(size);
    if (!champion->patterns) refuse("there is no memory for the patterns");
    champion->weights = weights_beside(champion->program, champion->patterns, fewest);
    champion->book = champion->level == &levels[LEVELS - 1] ? book_beside(champion->program, size, fewest) : NULL;
    champion->midgame = new_midgame(size, fewest, champion->patterns, champion->weights, MEMORY);
    if (!champion->midgame) refuse("there is no memory for the search's tables");
    forget(champion->midgame);    /* so that the system gives the memory now, not while a move is thought about */
    Search *search = champion->midgame->search;
    memset(search->table, 0, (search->mask + 1) * sizeof(Bucket));
}

static void greet(Champion *champion, const char *hello) {
    const char *game = field(hello, "game"), *params = field(game, "params"), *rows = field(params, "rows");
    const char *protocols = field(hello, "protocols"), *offered = NULL;
    while ((offered = next_item(protocols, offered)) && !is_text(offered, "arena/1")) {}
    if (!offered) refuse("it speaks arena/1, which the referee does not offer");
    const char *name = field(game, "name");
    if (!is_text(name, "reversed_reversi")) {
        const char *end = name && *name == '"' ? past_text(name) : NULL;
        fprintf(stderr, "champion plays reversed_reversi; it does not know %.*s\n", end ? (int)(end - name) - 2 : 0,
                end ? name + 1 : "");
        exit(USAGE);
    }
    int64_t size = whole_number(field(params, "size"), 8);
    if (rows && strncmp(rows, "null", 4) && whole_number(rows, size) != size)
        refuse("it plays on square boards only, not on rectangles");
    if (size != 4 && size != 6 && size != 8) refuse("it plays on boards of 4, 6 and 8 squares a side only");
    const char *reversed = field(params, "reversed");
    set_up(champion, (int)size, !reversed || strncmp(reversed, "false", 5));
    champion->seed = (uint64_t)whole_number(field(hello, "seed"), 0);
    char level[16] = "";
    int number = (int)(champion->level - levels) + 1;
    if (number < LEVELS) snprintf(level, sizeof level, ":%d", number);
    printf("{\"type\":\"ready\",\"protocol\":\"arena/1\",\"name\":\"champion%s\",\"version\":\"1\",\"reusable\":true}\n", level);
}

/* Read the discs of the side to move and of the other; 0 where the state is none of this board. */
static int read_state(const Champion *champion, const char *state, uint64_t *own, uint64_t *opp) {
    const char *board = field(state, "board"), *row = NULL, *to_move = field(state, "to_move");
    uint64_t discs[2] = {0, 0};
    for (int at = 0; at < champion->size; at++) {
        row = next_item(board, row);
        if (!row || *row != '"') return 0;
        for (int column = 0; column < champion->size; column++) {
            char disc = row[column + 1];
            if (disc != '.' && disc != 'X' && disc != 'O') return 0;
            if (disc != '.') discs[disc == 'O'] |= 1ULL << at_square(at, column);
        }
        if (row[champion->size + 1] != '"') return 0;
    }
    if (!is_text(to_move, "X") && !is_text(to_move, "O")) return 0;
    int second = is_text(to_move, "O");
    *own = discs[second], *opp = discs[!second];
    return next_item(board, row) == NULL;
}

/* How long to think about a move: never on an extension, and on a small part of the bank. */
static int64_t thinking_time(const char *time) {
    double left = SHARE * (double)whole_number(field(time, "move_ms"), 0);
    left += (double)whole_number(field(time, "bank_ms"), 0) / BANK_MOVES;
    double whole = left * (double)MILLISECOND - (double)TRANSPORT;
    return whole < 0 ? 0 : whole > (double)MOST_TIME ? MOST_TIME : (int64_t)whole;
}

/* Write what was seen as a text. */
static void tell(const Sight *sight, int left, char *text, size_t room) {
    double discs = (double)sight->value / POINT;
    if (sight->exact) snprintf(text, room, "exactly %+.0f, %d empty", discs, left);
    else if (sight->depth == left)
        snprintf(text, room, "%s%s, %d empty", sight->certainty == PROVEN ? "" : "probably ",
                 sight->value > 0 ? "wins" : sight->value < 0 ? "loses" : "draws", left);
    else snprintf(text, room, "depth %d, value %+.2f", sight->depth, discs);
}

static void answer(const Champion *champion, const char *message, int64_t received) {
    uint64_t own, opp;
    char words[64] = "only move";
    int64_t id = whole_number(field(message, "id"), -1);
    if (!champion->midgame) refuse("a move was asked for before any hello");
    if (!read_state(champion, field(message, "state"), &own, &opp)) refuse("the request has no board that can be read");
    Stand stand = stand_of(champion->midgame, own, opp);
    if (!stand.places) refuse("a move was asked for where there is none");
    int move = __builtin_ctzll(stand.places);
    Page page;
    if (!(stand.places & (stand.places - 1))) {
        /* nothing is to be found out */
    } else if (champion->book && page_of(champion->book, own, opp, &page) && stand.places >> page.move & 1) {
        move = page.move;
        snprintf(words, sizeof words, "book, value %+.2f", (double)page.value / POINT);
    } else {
        uint64_t ply = (uint64_t)whole_number(field(message, "ply"), 0), seed = champion->seed + (ply << 32);
        int64_t deadline = received + thinking_time(field(message, "time"));
        Sight sight = chosen(champion->midgame, own, opp, champion->level, seed, deadline);
        move = sight.move;
        tell(&sight, stand.left, words, sizeof words);
    }
    printf("{\"type\":\"move\",\"id\":%lld,\"move\":\"%c%d\",\"debug\":\"%s\"}\n", (long long)id, 'a' + move % WIDTH,
           move / WIDTH + 1, words);
}

int main(int count, char **words) {
    if (count == 6 && !strcmp(words[1], "calibrate")) return calibrate(words + 2, words[0]);
    char *end = "";
    long level = count > 1 ? strtol(words[1], &end, 10) : DEFAULT_LEVEL;
    if (count > 2 || *end || level < 1 || level > LEVELS) refuse("usage: champion [LEVEL], a whole number from 1 to 8");
    Champion champion = {.program = words[0], .level = &levels[level - 1]};
    char *line = NULL;
    size_t room = 0;
    prepare();
    while (getline(&line, &room, stdin) > 0) {
        int64_t received = nanoseconds();
        const char *past = past_value(line), *type = past && !*past ? field(line, "type") : NULL;
        if (!type) fprintf(stderr, "champion: a line is no message of the protocol and was passed over: %.60s\n", line);
        else if (is_text(type, "hello")) greet(&champion, line);
        else if (is_text(type, "move")) answer(&champion, line, received);
        if (fflush(stdout)) return 1;
    }
    return 0;
}
