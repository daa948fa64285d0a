/* The referee's lines, as docs/protocol.md has them: fields of JSON objects, found where they stand in the text. What
   comes is JSON of the referee's, so only as much of it is looked at as it takes to find a field; a field that is not
   there, or not of the kind that is wanted, is told from one that is. */
#ifndef CHAMPION_PROTOCOL_H
#define CHAMPION_PROTOCOL_H
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DEEPEST_JSON = 64 };

static const char *past_spaces(const char *at) { return at + strspn(at, " \t\r\n"); }

/* The end of the text that begins at a quotation mark; NULL where it has none. */
static const char *past_text(const char *at) {
    for (at++; *at && *at != '"'; at++)
        if (*at == '\\' && !*++at) return NULL;
    return *at ? at + 1 : NULL;
}

/* The end of a value; NULL where the line ends before it. */
static const char *past_value(const char *at) {
    int depth = 0;
    do {
        at = past_spaces(at);
        if (*at == '"') {
            if (!(at = past_text(at))) return NULL;
        } else if (*at == '{' || *at == '[') {
            if (++depth > DEEPEST_JSON) return NULL;
            at++;
        } else if (*at == '}' || *at == ']') {
            depth--, at++;
        } else if (*at == ',' || *at == ':') {
            if (!depth) return NULL;
            at++;
        } else {
            size_t length = strcspn(at, " \t\r\n{}[],:\"");
            if (!length) return NULL;
            at += length;
        }
        at = past_spaces(at);
    } while (depth > 0);
    return depth ? NULL : at;
}

/* The value of a field of the object that begins there; NULL where there is none, or no object. */
static const char *field(const char *object, const char *name) {
    size_t length = strlen(name);
    if (!object || *(object = past_spaces(object)) != '{') return NULL;
    object = past_spaces(object + 1);
    while (*object == '"') {
        const char *end = past_text(object), *value;
        if (!end || *(value = past_spaces(end)) != ':') return NULL;
        value = past_spaces(value + 1);
        if ((size_t)(end - object) == length + 2 && !memcmp(object + 1, name, length)) return value;
        if (!(object = past_value(value)) || *object != ',') return NULL;
        object = past_spaces(object + 1);
    }
    return NULL;
}

/* A list's next item: from the list itself at first, then from the item before; NULL after the last. */
static const char *next_item(const char *list, const char *item) {
    if (!list || *list != '[') return NULL;
    const char *at = item ? past_value(item) : list + 1;
    if (!at || (item && *at != ',')) return NULL;
    at = past_spaces(item ? at + 1 : at);
    return *at == ']' || !*at ? NULL : at;
}

/* Whether a value is that text. */
static int is_text(const char *value, const char *text) {
    size_t length = strlen(text);
    return value && *value == '"' && !strncmp(value + 1, text, length) && value[length + 1] == '"';
}

/* A whole number, or `otherwise` where the value is none. */
static int64_t whole_number(const char *value, int64_t otherwise) {
    if (!value) return otherwise;
    char *end;
    long long number = strtoll(value, &end, 10);
    return end == value ? otherwise : number;
}

#endif
