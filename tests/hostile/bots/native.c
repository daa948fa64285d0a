/* Bots without an interpreter: deeds of a few system calls, made as fast as the machine allows.
   Each is named by the first argument, plays honestly, and says BREACH where it should have been refused. */

#define _GNU_SOURCE
#include <errno.h>
#include <linux/sched.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

enum { LINE = 65536, MOST_CHILDREN = 600, MOST_THREADS = 1500, STACK = 65536, MEGABYTES = 1024 };

static char line[LINE];

static int hear(void) { return fgets(line, sizeof line, stdin) != NULL; }

static void answer(void) {
    if (strncmp(line, "{\"type\":\"move\"", 14) != 0) exit(0);
    char *id = strstr(line, "\"id\":") + 5;
    char *legal = strstr(line, "\"legal\":[\"") + 10;
    printf("{\"type\":\"move\",\"id\":%ld,\"move\":\"%.*s\"}\n", strtol(id, NULL, 10), (int)strcspn(legal, "\""), legal);
    fflush(stdout);
}

static void bounded(const char *what, int count, int most) {
    fprintf(stderr, "%s %d %s, at most %d\n", count > most ? "BREACH" : "refused more than", count, what, most);
}

/* Children that stop as soon as they are there, without a copy of anything. */
static void forks(int most) {
    int count = 0;
    for (; count < MOST_CHILDREN; count++) {
        long child = syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0);
        if (child < 0) break;
        if (child == 0) for (;;) pause();
    }
    bounded("processes", count, most);
}

static void *wait_for_ever(void *nothing) {
    while (nothing == NULL) pause();
    return nothing;
}

static void threads(int most) {
    pthread_attr_t small;
    pthread_t thread;
    int count = 0;
    pthread_attr_init(&small);
    pthread_attr_setstacksize(&small, STACK);
    while (count < MOST_THREADS && pthread_create(&thread, &small, wait_for_ever, NULL) == 0) count++;
    bounded("threads", count, most);
}

/* A process that is never the same one: each child starts the next and ends. */
static void hare(void) {
    long child = syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0);
    if (child != 0) return;
    setsid();
    for (long step = 0; step < 3000000; step++)
        if (syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0) != 0) _exit(0);
    _exit(0);
}

/* Children that share all memory and ignore all signals. */
static int shadow(void *nothing) {
    for (int number = 1; number < 65; number++) signal(number, SIG_IGN);
    while (nothing == NULL) pause();
    return 0;
}

static void shadows(int most) {
    int count = 0;
    for (; count < MOST_CHILDREN; count++) {
        char *stack = malloc(STACK);
        if (!stack || clone(shadow, stack + STACK, CLONE_VM | CLONE_FS | CLONE_FILES, NULL) < 0) break;
    }
    bounded("processes", count, most);
}

static void memory(int most) {
    int count = 0;
    for (; count < MEGABYTES; count++) {
        void *page = mmap(NULL, 1 << 20, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (page == MAP_FAILED) break;
        memset(page, 1, 1 << 20);
    }
    bounded("MB", count, most);
}

/* A new user, with all rights in namespaces of its own, by each call that can make one. */
static void rights(void) {
    struct clone_args wanted = {.flags = CLONE_NEWUSER, .exit_signal = SIGCHLD};
    if (syscall(SYS_clone3, &wanted, sizeof wanted) >= 0) fprintf(stderr, "BREACH clone3\n");
    if (unshare(CLONE_NEWUSER) == 0) fprintf(stderr, "BREACH unshare\n");
    if (syscall(SYS_clone, CLONE_NEWUSER | SIGCHLD, 0, 0, 0, 0) >= 0) fprintf(stderr, "BREACH clone\n");
}

static int dive(volatile char *above) {
    volatile char here[4096];
    here[0] = above == NULL ? 0 : *above;
    return above == NULL ? 0 : dive(here) + here[0];
}

int main(int count, char **words) {
    const char *deed = count > 1 ? words[1] : "";
    int most = count > 2 ? atoi(words[2]) : 0;
    hear();
    printf("{\"type\":\"ready\",\"protocol\":\"arena/1\"}\n");
    fflush(stdout);
    hear();
    if (!strcmp(deed, "forks")) forks(most);
    if (!strcmp(deed, "threads")) threads(most);
    if (!strcmp(deed, "hare")) hare();
    if (!strcmp(deed, "shadows")) shadows(most);
    if (!strcmp(deed, "memory")) memory(most);
    if (!strcmp(deed, "rights")) rights();
    if (!strcmp(deed, "dive")) return dive(line);
    if (!strcmp(deed, "null")) *(volatile int *)8 = 1;
    fprintf(stderr, "attack over\n");
    do answer();
    while (hear());
    return 0;
}
