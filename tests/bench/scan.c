/* The limit for anyone who looks at every process: list /proc, open, read and close each `stat`, parse six fields.
 *
 * For each line on standard input one scan; answers with a line of JSON: CPU seconds and the number of processes. */
#define _GNU_SOURCE
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static long parse(char *line, ssize_t length) {
    line[length] = 0;
    char *at = strrchr(line, ')');
    long sum = 0;
    int field = 2;
    if (!at) return 0;
    for (at++; *at; at++)
        if (*at == ' ') {
            field++;
            if (field == 4 || field == 14 || field == 15 || field == 22 || field == 24) sum += strtol(at + 1, NULL, 10);
        }
    return sum;
}

static long scan(long *processes) {
    char line[4096], path[300];
    long sum = 0;
    DIR *proc = opendir("/proc");
    struct dirent *entry;
    *processes = 0;
    while ((entry = readdir(proc))) {
        if (entry->d_name[0] < '0' || entry->d_name[0] > '9') continue;
        snprintf(path, sizeof path, "%s/stat", entry->d_name);
        int file = openat(dirfd(proc), path, O_RDONLY);
        if (file < 0) continue;
        ssize_t length = read(file, line, sizeof line - 1);
        close(file);
        if (length <= 0) continue;
        sum += parse(line, length);
        ++*processes;
    }
    closedir(proc);
    return sum;
}

static double cpu_s(void) {
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return now.tv_sec + now.tv_nsec / 1e9;
}

int main(void) {
    char word[64];
    long processes, sink = 0;
    while (fgets(word, sizeof word, stdin)) {
        double began_s = cpu_s();
        sink += scan(&processes);
        printf("{\"cpu_s\": %.9f, \"processes\": %ld}\n", cpu_s() - began_s, processes);
        fflush(stdout);
    }
    return sink == 42;
}
