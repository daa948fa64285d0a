/* What the compiled rules of a game have to offer whoever plays many plies of it without Python in between: the
   referee. A game's module has a `Rules` in a capsule named `RULES_CAPSULE`, for positions that fit two words. */
#ifndef ENGINES_RULES_H
#define ENGINES_RULES_H
#include <stdint.h>

#define RULES_CAPSULE "engines.rules"
enum { MOST_MOVES = 64, MOST_NAME = 8, MOST_STATE = 256 };

typedef struct {
    uint64_t own, opp;
    int seat;
} Position;

/* All four agree with the methods of the game in Python; `size` is the game's own number for its board. */
typedef struct {
    /* The legal moves, ascending, and how many; *pass is 1 where the only one is a pass that nobody is asked for. */
    int (*legal)(const Position *position, int size, uint8_t moves[MOST_MOVES], int *pass);
    /* Play a legal move. */
    void (*play)(Position *position, int size, int move);
    /* Write a move as text, of at most MOST_NAME plain characters, or the state as JSON, of at most MOST_STATE;
       the end of what was written. */
    char *(*name)(int move, int size, char *text);
    char *(*state)(const Position *position, int size, char *text);
} Rules;

#endif
