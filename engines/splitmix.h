/* Numbers that a seed decides: SplitMix64 (Steele, Lea and Flood, *Fast splittable pseudorandom number generators*,
   OOPSLA 2014). */
#ifndef ENGINES_SPLITMIX_H
#define ENGINES_SPLITMIX_H
#include <stdint.h>

/* The next number of the sequence. */
static inline uint64_t next_random(uint64_t *state) {
    uint64_t z = *state += 0x9E3779B97F4A7C15ULL;
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9ULL;
    z = (z ^ z >> 27) * 0x94D049BB133111EBULL;
    return z ^ z >> 31;
}

#endif
