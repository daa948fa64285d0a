/* The kit: it talks with the referee, so that your bot only has to choose. You need not change it. */
#include "arena_bot.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* --- reading JSON ------------------------------------------------------------------------------ */

static Json *read_value(const char **at);

static void *room(void *old, size_t size) {
    void *memory = realloc(old, size);
    if (memory == NULL) {
        fputs("there is no memory left\n", stderr);
        exit(1);
    }
    return memory;
}

static void skip_spaces(const char **at) {
    while (**at == ' ' || **at == '\t' || **at == '\r' || **at == '\n') ++*at;
}

static int take(const char **at, char wanted) {
    skip_spaces(at);
    if (**at != wanted) return 0;
    ++*at;
    return 1;
}

static void add_utf8(char *text, size_t *size, unsigned code) {
    if (code < 0x80) {
        text[(*size)++] = (char)code;
    } else if (code < 0x800) {
        text[(*size)++] = (char)(0xC0 | code >> 6);
        text[(*size)++] = (char)(0x80 | (code & 0x3F));
    } else {
        text[(*size)++] = (char)(0xE0 | code >> 12);
        text[(*size)++] = (char)(0x80 | (code >> 6 & 0x3F));
        text[(*size)++] = (char)(0x80 | (code & 0x3F));
    }
}

/* The text up to the closing quotation mark; NULL where there is none. */
static char *read_text(const char **at) {
    char *text = room(NULL, strlen(*at) + 1);
    size_t size = 0;
    for (; **at != '"'; ++*at) {
        if (**at == '\0') {
            free(text);
            return NULL;
        }
        if (**at != '\\') {
            text[size++] = **at;
            continue;
        }
        unsigned code = 0;
        switch (*++*at) {
            case '\0': free(text); return NULL;
            case 'b': text[size++] = '\b'; break;
            case 'f': text[size++] = '\f'; break;
            case 'n': text[size++] = '\n'; break;
            case 'r': text[size++] = '\r'; break;
            case 't': text[size++] = '\t'; break;
            case 'u':
                if (sscanf(*at + 1, "%4x", &code) != 1 || strlen(*at) < 5) {
                    free(text);
                    return NULL;
                }
                *at += 4;
                add_utf8(text, &size, code);
                break;
            default: text[size++] = **at;
        }
    }
    ++*at;
    text[size] = '\0';
    return text;
}

/* The items up to the closing bracket, each with its name where it is an object. */
static int read_items(Json *value, const char **at, char end) {
    if (take(at, end)) return 1;
    do {
        char *name = NULL;
        if (value->kind == JSON_OBJECT) {
            if (!take(at, '"') || (name = read_text(at)) == NULL) return 0;
            if (!take(at, ':')) {
                free(name);
                return 0;
            }
        }
        Json *item = read_value(at);
        if (item == NULL) {
            free(name);
            return 0;
        }
        size_t count = (size_t)value->count + 1;
        value->items = room(value->items, count * sizeof *value->items);
        value->names = room(value->names, count * sizeof *value->names);
        value->items[value->count] = item;
        value->names[value->count++] = name;
    } while (take(at, ','));
    return take(at, end);
}

static int read_word(const char **at, const char *word) {
    size_t size = strlen(word);
    if (strncmp(*at, word, size) != 0) return 0;
    *at += size;
    return 1;
}

static int fill(Json *value, const char **at) {
    if (take(at, '"')) {
        value->kind = JSON_TEXT;
        return (value->text = read_text(at)) != NULL;
    }
    if (take(at, '[')) {
        value->kind = JSON_LIST;
        return read_items(value, at, ']');
    }
    if (take(at, '{')) {
        value->kind = JSON_OBJECT;
        return read_items(value, at, '}');
    }
    if (read_word(at, "null")) return 1;
    if (read_word(at, "true")) {
        value->kind = JSON_TRUE;
        return 1;
    }
    if (read_word(at, "false")) {
        value->kind = JSON_FALSE;
        return 1;
    }
    char *end;
    value->kind = JSON_NUMBER;
    value->number = strtod(*at, &end);
    int found = end != *at;
    *at = end;
    return found;
}

static Json *read_value(const char **at) {
    Json *value = room(NULL, sizeof *value);
    memset(value, 0, sizeof *value);
    if (fill(value, at)) return value;
    json_free(value);
    return NULL;
}

Json *json_read(const char *line) {
    return read_value(&line);
}

const Json *json_get(const Json *object, const char *name) {
    if (object == NULL || object->kind != JSON_OBJECT) return NULL;
    for (int i = 0; i < object->count; i++) {
        if (strcmp(object->names[i], name) == 0) return object->items[i];
    }
    return NULL;
}

void json_free(Json *value) {
    if (value == NULL) return;
    for (int i = 0; i < value->count; i++) {
        json_free(value->items[i]);
        free(value->names[i]);
    }
    free(value->items);
    free(value->names);
    free(value->text);
    free(value);
}

/* --- talking with the referee ------------------------------------------------------------------ */

static double now(void) {
    struct timespec time;
    timespec_get(&time, TIME_UTC);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static double number_of(const Json *value) {
    return value == NULL ? 0 : value->number;
}

Request request_of(const Json *hello, const Json *message) {
    return (Request){
        .state = json_get(message, "state"),
        .legal = json_get(message, "legal"),
        .history = json_get(message, "history"),
        .params = json_get(json_get(hello, "game"), "params"),
        .seat = (int)number_of(json_get(hello, "seat")),
        .ply = (int)number_of(json_get(message, "ply")),
        .until = now() + number_of(json_get(json_get(message, "time"), "move_ms")) / 1000,
    };
}

double seconds_left(const Request *request) {
    return request->until - now();
}

/* A line of any length, which the next call overwrites; NULL where there are no more. */
static char *next_line(void) {
    static char *line = NULL;
    static size_t size = 0;
    size_t length = 0;
    for (int letter; (letter = getchar()) != '\n'; line[length++] = (char)letter) {
        if (letter == EOF) return NULL;
        if (length + 2 > size) line = room(line, size = 2 * size + 4096);
    }
    if (line == NULL) line = room(line, size = 4096);
    line[length] = '\0';
    return line;
}

int arena_run(Choose *choose) {
    Json *hello = NULL;
    for (char *line; (line = next_line()) != NULL;) {
        Json *message = json_read(line);
        const Json *type = json_get(message, "type");
        const char *kind = type != NULL && type->kind == JSON_TEXT ? type->text : "";
        int over = strcmp(kind, "end") == 0;
        if (strcmp(kind, "hello") == 0) {
            json_free(hello);
            hello = message;
            message = NULL;
            puts("{\"type\":\"ready\",\"protocol\":\"arena/1\"}");
        } else if (strcmp(kind, "move") == 0) {
            Request request = request_of(hello, message);
            const char *move = choose(&request);
            printf("{\"type\":\"move\",\"id\":%.0f,\"move\":\"%s\"}\n", number_of(json_get(message, "id")), move);
        }
        fflush(stdout); /* an answer that stays in the buffer has not been given */
        json_free(message);
        if (over) break;
    }
    json_free(hello);
    return 0;
}
