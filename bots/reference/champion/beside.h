/* Files that lie beside the program, one for each board and rule. */
#ifndef CHAMPION_BESIDE_H
#define CHAMPION_BESIDE_H
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST_PATH = 4096, DAMAGED = 2 };

/* SIZE-most.ENDING or SIZE-fewest.ENDING in the program's folder. */
static void path_beside(const char *program, int size, int fewest, const char *ending, char path[MOST_PATH]) {
    const char *slash = strrchr(program, '/');
    int folder = slash ? (int)(slash - program) + 1 : 0;
    snprintf(path, MOST_PATH, "%.*s%d-%s.%s", folder, program, size, fewest ? "fewest" : "most", ending);
}

/* Say what follows where there is no such file. One that is there, and could not be used, ends the program, so that it
   never plays unnoticed below its strength. */
static void without(const char *path, const char *what_then) {
    if (!access(path, F_OK)) {
        fprintf(stderr, "champion: %s cannot be read or is damaged; put it there anew, or remove it to play without\n", path);
        exit(DAMAGED);
    }
    fprintf(stderr, "champion: there is no %s; %s\n", path, what_then);
}

#endif
