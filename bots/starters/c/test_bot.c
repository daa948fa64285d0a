/* Whether the bot answers with a legal move in each position of positions.jsonl: make test. */
#ifdef TESTING
#include "arena_bot.h"

#include <stdio.h>
#include <string.h>

const char *choose(const Request *request);

static char line[1 << 20];

static int is_legal(const Request *request, const char *move) {
    for (int i = 0; i < request->legal->count; i++) {
        if (strcmp(request->legal->items[i]->text, move) == 0) return 1;
    }
    return 0;
}

int main(void) {
    FILE *positions = fopen("positions.jsonl", "r");
    if (positions == NULL || fgets(line, sizeof line, positions) == NULL) {
        puts("positions.jsonl cannot be read");
        return 1;
    }
    Json *hello = json_read(line);
    int asked = 0, wrong = 0;
    for (; fgets(line, sizeof line, positions) != NULL; asked++) {
        Json *message = json_read(line);
        Request request = request_of(hello, message);
        const char *move = choose(&request);
        if (!is_legal(&request, move)) {
            printf("ply %d: %s is not legal\n", request.ply, move);
            wrong++;
        }
        json_free(message);
    }
    json_free(hello);
    fclose(positions);
    printf("%d positions, %d illegal moves\n", asked, wrong);
    return wrong > 0 || asked == 0;
}
#endif
