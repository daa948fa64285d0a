/* The kit: it talks with the referee, so that your bot only has to choose. You need not change it. */
#ifndef ARENA_BOT_H
#define ARENA_BOT_H

/* A value of JSON: what the referee sends is made of these. */
typedef struct Json {
    enum { JSON_NULL, JSON_FALSE, JSON_TRUE, JSON_NUMBER, JSON_TEXT, JSON_LIST, JSON_OBJECT } kind;
    double number;        /* of a number */
    char *text;           /* of a text */
    int count;            /* how many items a list or an object has */
    struct Json **items;  /* the items of a list or an object */
    char **names;         /* of an object: what each item is called */
} Json;

Json *json_read(const char *line);                           /* NULL where that is no JSON */
const Json *json_get(const Json *object, const char *name);  /* NULL where there is no such item */
void json_free(Json *value);

/* One question: what do you play here? */
typedef struct {
    const Json *state;    /* the position, as README.md shows it */
    const Json *legal;    /* the moves to choose from; the first one is legal->items[0]->text */
    const Json *history;  /* all moves so far */
    const Json *params;   /* the parameters of the game */
    int seat;             /* 0 or 1: you */
    int ply;              /* how many moves have been played */
    double until;         /* when the time for the move is over; see seconds_left() */
} Request;

typedef const char *Choose(const Request *request);

Request request_of(const Json *hello, const Json *message);
double seconds_left(const Request *request);
int arena_run(Choose *choose);  /* plays a match with your bot */

#endif
