/* The search of `engines/reversi_solve.h` without Python, for comparison with the same called from there.

   usage: reversi_search ROWS COLUMNS REVERSED MEMORY [plain] < positions

   REVERSED is 1 where fewest discs win. A line of input is the mover's discs and the other side's, as numbers whose
   bit 8 * row + column is a square. A line of output is the bounds of the value, the positions searched, and the
   seconds of processor time. With `plain` it uses what every processor has. */
#include "../../engines/reversi_solve.h"
#include <stdio.h>
#include <time.h>

int main(int count, char **words) {
    if (count < 5) return 2;
    prepare();
    if (count > 5) descent = search_plain;
    Search *search = new_search(atoi(words[1]), atoi(words[2]), atoi(words[3]), strtoull(words[4], NULL, 10));
    if (!search) return 1;
    unsigned long long own, opp;
    while (scanf("%llu %llu", &own, &opp) == 2) {
        clock_t started = clock();
        Found found = solve(search, own, opp, -SQUARES, SQUARES, UINT64_MAX, NULL);
        double seconds = (double)(clock() - started) / CLOCKS_PER_SEC;
        printf("%d %d %llu %.6f\n", found.low, found.high, (unsigned long long)found.nodes, seconds);
        fflush(stdout);
    }
    free_search(search);
    return 0;
}
