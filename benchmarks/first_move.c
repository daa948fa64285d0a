/* A bot of arena/1 that answers every request at once with the first legal move. It is as fast as a bot
   can be, so that a benchmark measures the referee. It says that it is reusable when started with "-r". */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char line[1 << 20];

int main(int argc, char **argv) {
    const char *reusable = argc > 1 && strcmp(argv[1], "-r") == 0 ? "true" : "false";
    setvbuf(stdout, NULL, _IOFBF, 1 << 16);
    while (fgets(line, sizeof line, stdin)) {
        if (strncmp(line, "{\"type\":\"hello\"", 15) == 0) {
            printf("{\"type\":\"ready\",\"protocol\":\"arena/1\",\"name\":\"first_move\",\"version\":\"1\","
                   "\"reusable\":%s}\n", reusable);
        } else if (strncmp(line, "{\"type\":\"move\"", 14) == 0) {
            const char *id = strstr(line, "\"id\":"), *legal = strstr(line, "\"legal\":[\"");
            if (!id || !legal) return 1;
            legal += 10;
            printf("{\"type\":\"move\",\"id\":%ld,\"move\":\"%.*s\"}\n", atol(id + 5),
                   (int)strcspn(legal, "\""), legal);
        }
        fflush(stdout);
    }
    return 0;
}
