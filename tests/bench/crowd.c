/* Stands in for one program of a crowd: starts its children, burns CPU if it is to, and then sleeps for good.
 *
 * CROWD_CHILD_<n>  a child: path of the program, variables NAME=VALUE, "--", arguments; separated by unit separators
 * CROWD_BURN       "<CPU s of each command> <wall s in all> <file>": once <file>.go is there, run commands that burn
 *                  CPU, one after another with a rest of half their length, and then write to <file> the CPU seconds
 *                  that all of it really took
 * CROWD_HOLDS_MB   memory to hold, all of it touched, in pages of the usual size
 *
 * It goes with its parent, so that nothing is left of a crowd whose spawner ended in any way. */
#define _GNU_SOURCE
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define MOST_FIELDS 64

static double clock_s(clockid_t which) {
    struct timespec now;
    clock_gettime(which, &now);
    return now.tv_sec + now.tv_nsec / 1e9;
}

static double cpu_s(int who) {
    struct rusage used;
    getrusage(who, &used);
    return used.ru_utime.tv_sec + used.ru_stime.tv_sec + (used.ru_utime.tv_usec + used.ru_stime.tv_usec) / 1e6;
}

static void rest(double seconds) {
    struct timespec pause = {(time_t)seconds, (long)((seconds - (time_t)seconds) * 1e9)};
    nanosleep(&pause, NULL);
}

static void hold(size_t bytes) {
    char *room = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (room == MAP_FAILED) _exit(4);
    madvise(room, bytes, MADV_NOHUGEPAGE);
    memset(room, 1, bytes);
}

static void become(char *given) {
    char *fields[MOST_FIELDS + 1], *arguments[MOST_FIELDS + 1], *left = given, *field, name[32];
    int count = 0, used = 0, at = 1;
    while (count < MOST_FIELDS && (field = strsep(&left, "\x1f"))) fields[count++] = field;
    for (; at < count && strcmp(fields[at], "--"); at++) putenv(fields[at]);
    for (at++; at < count; at++) arguments[used++] = fields[at];
    arguments[used] = NULL;
    for (int n = 0; snprintf(name, sizeof name, "CROWD_CHILD_%d", n), getenv(name); n++) unsetenv(name);
    unsetenv("CROWD_HOLDS_MB");
    execv(fields[0], arguments);
    _exit(127);
}

static void burn(const char *how) {
    double each_s, all_s;
    char path[4096], go[4200];
    if (sscanf(how, "%lf %lf %4095s", &each_s, &all_s, path) != 3) _exit(2);
    snprintf(go, sizeof go, "%s.go", path);
    while (access(go, F_OK)) rest(0.05);
    double before_s = cpu_s(RUSAGE_SELF), end_s = clock_s(CLOCK_MONOTONIC) + all_s;
    while (clock_s(CLOCK_MONOTONIC) < end_s) {
        pid_t pid = fork();
        if (pid == 0) {
            prctl(PR_SET_PDEATHSIG, SIGKILL);
            double until_s = clock_s(CLOCK_PROCESS_CPUTIME_ID) + each_s;
            while (clock_s(CLOCK_PROCESS_CPUTIME_ID) < until_s) {}
            _exit(0);
        }
        waitpid(pid, NULL, 0);
        rest(each_s / 2);
    }
    snprintf(go, sizeof go, "%s.part", path);
    FILE *out = fopen(go, "w");
    if (!out) _exit(3);
    fprintf(out, "%.6f\n", cpu_s(RUSAGE_SELF) - before_s + cpu_s(RUSAGE_CHILDREN));
    fclose(out);
    rename(go, path);
}

int main(void) {
    char name[32], *given;
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    for (int n = 0; snprintf(name, sizeof name, "CROWD_CHILD_%d", n), (given = getenv(name)); n++)
        if (fork() == 0) become(given);
    if ((given = getenv("CROWD_HOLDS_MB"))) hold((size_t)atol(given) << 20);
    if ((given = getenv("CROWD_BURN"))) burn(given);
    for (;;) pause();
}
