/* A bot: it plays the legal move that it finds best. Make value() think, and it plays better. */
#include "arena_bot.h"

#include <math.h>

/* So many seconds before the time is over it answers with the best that it has. */
static const double SPARE = 0.05;

/* How good a move is: the higher, the better. Your search begins here.
 *
 * request->state is the position, request->seat is you (0 or 1), and README.md shows an example.
 */
static double value(const Request *request, const char *move) {
    (void)request;
    (void)move;
    return 0;
}

/* The legal move with the highest value, the first one of several. */
const char *choose(const Request *request) {
    const char *best = request->legal->items[0]->text;
    double highest = -INFINITY;
    for (int i = 0; i < request->legal->count && seconds_left(request) > SPARE; i++) {
        const char *move = request->legal->items[i]->text;
        double found = value(request, move);
        if (found > highest) {
            highest = found;
            best = move;
        }
    }
    return best;
}

#ifndef TESTING /* test_bot.c brings a main() of its own */
int main(void) {
    return arena_run(choose);
}
#endif
