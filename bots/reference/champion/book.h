/* The opening book beside the program: positions with the move to play there, as `arena book` makes them.
   `engines/solvers/reversi_book.py` tells what is in the file. Of the positions that symmetries of the board make of each
   other a book has the one with the least boards. */
#ifndef CHAMPION_BOOK_H
#define CHAMPION_BOOK_H
#include "beside.h"
#include "reversi_patterns.h"

enum { BOOK_HEAD = 16, PAGE_BYTES = 19, BOOK_CHECK = 4, SYMMETRIES = 8 };

static const char BOOK_MAGIC[9] = "BABOOK01";

/* A position, the move to play there, and its value to the mover. */
typedef struct {
    uint64_t own, opp;
    int value, move;
} Page;

typedef struct {
    int size;
    uint32_t count;
    Page page[];
} Book;

static uint64_t little_endian(const uint8_t *bytes, int count) {
    uint64_t number = 0;
    while (count--) number = number << 8 | bytes[count];
    return number;
}

/* The book that a file holds; NULL where it is none for this board and rule, or memory is short. */
static Book *book_in(int size, int fewest, const uint8_t *bytes, size_t length) {
    const uint8_t head[4] = {(uint8_t)size, (uint8_t)fewest, 0, 0};
    if (length < BOOK_HEAD + BOOK_CHECK || memcmp(bytes, BOOK_MAGIC, 8) || memcmp(bytes + 8, head, 4)) return NULL;
    size_t count = little_endian(bytes + 12, 4), end = length - BOOK_CHECK;
    if (end != BOOK_HEAD + count * PAGE_BYTES || fnv(bytes, end) != little_endian(bytes + end, BOOK_CHECK)) return NULL;
    Book *book = malloc(sizeof *book + count * sizeof *book->page);
    if (!book) return NULL;
    book->size = size, book->count = (uint32_t)count;
    for (size_t at = 0; at < count; at++) {
        const uint8_t *from = bytes + BOOK_HEAD + at * PAGE_BYTES;
        book->page[at] = (Page){little_endian(from, 8), little_endian(from + 8, 8), (int16_t)little_endian(from + 16, 2), from[18]};
    }
    return book;
}

/* The book in the program's folder; NULL where there is none, which is said. */
static Book *book_beside(const char *program, int size, int fewest) {
    char path[MOST_PATH];
    size_t length;
    path_beside(program, size, fewest, "book", path);
    uint8_t *bytes = whole_file(path, &length);
    Book *book = bytes ? book_in(size, fewest, bytes, length) : NULL;
    free(bytes);
    if (!book) without(path, "openings are searched like all else");
    return book;
}

static uint64_t turned_board(int size, uint64_t board, int symmetry) {
    uint64_t turned = 0;
    for (; board; board &= board - 1) turned |= 1ULL << image(size, __builtin_ctzll(board), symmetry);
    return turned;
}

/* Whether a book has a move on the board for a position; `found` becomes its page, with the move as it stands. */
static int page_of(const Book *book, uint64_t own, uint64_t opp, Page *found) {
    uint64_t least = UINT64_MAX, other = UINT64_MAX;
    int by = 0;
    for (int symmetry = 0; symmetry < SYMMETRIES; symmetry++) {
        uint64_t mine = turned_board(book->size, own, symmetry), theirs = turned_board(book->size, opp, symmetry);
        if (mine < least || (mine == least && theirs < other)) least = mine, other = theirs, by = symmetry;
    }
    uint32_t low = 0, high = book->count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        const Page *page = &book->page[middle];
        if (page->own < least || (page->own == least && page->opp < other)) low = middle + 1;
        else high = middle;
    }
    if (low == book->count || book->page[low].own != least || book->page[low].opp != other) return 0;
    *found = book->page[low];
    for (int at = 0; at < book->size * book->size; at++) {
        int square = at_square(at / book->size, at % book->size);
        if (image(book->size, square, by) == book->page[low].move) return found->move = square, 1;
    }
    return 0;
}

#endif
