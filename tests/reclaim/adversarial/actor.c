/* Plays one process of a scene and writes down every signal that it gets. See stage.py, class Part.
 *
 * ACTOR  path of its part, ROOT/parts/NAME: one line for each thing to be or to do
 *
 * It enrols in ROOT/roll/NAME ("pid start"), writes to ROOT/log/NAME ("signal 15", "bye"; "over", "end of input",
 * "becomes NAME" when it ends otherwise; of a child that ended "child PID signal 9" or "child PID exit 0") and is told what to do through the pipe ROOT/control/NAME. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define MOST 2048

struct part {
    char *program, *argv[MOST], *env[64], *children[MOST], *cwd, *on_term, *on_child;
    int args, envs, count, uid;
    bool detached, new_session, new_group, stays, ends_with_input, ends_with_child, keeps_zombies, ignores;
};

static char root[PATH_MAX], name[256];
static int book = -1;
static pid_t last_started;
static volatile sig_atomic_t asked_to_end = 0;

static void fail(const char *what) {
    perror(what);
    _exit(3);
}

static void note(const char *format, ...) {
    char line[128];
    va_list given;
    va_start(given, format);
    int length = vsnprintf(line, sizeof line, format, given);
    va_end(given);
    if (write(book, line, length) != length) _exit(4);
}

static void on_signal(int which) {
    char line[16] = "signal   \n"; /* printf may not be used here */
    line[7] = which >= 10 ? '0' + which / 10 : '0' + which;
    line[8] = which >= 10 ? '0' + which % 10 : ' ';
    if (write(book, line, 10) != 10) _exit(4);
    if (which == SIGTERM || which == SIGINT || which == SIGHUP || which == SIGQUIT) asked_to_end = 1;
}

static void on_child(int which) { (void)which; }

static void end(void) {
    note("over\n");
    _exit(0);
}

static struct part *read_part(const char *path) {
    FILE *file = fopen(path, "r");
    if (!file) fail(path);
    struct part *part = calloc(1, sizeof *part);
    char *line = NULL;
    size_t room = 0;
    part->uid = -1;
    while (getline(&line, &room, file) > 0) {
        line[strcspn(line, "\n")] = 0;
        char *value = strchr(line, ' ');
        value = strdup(value ? (*value = 0, value + 1) : "");
        if (!strcmp(line, "program")) part->program = value;
        else if (!strcmp(line, "argv")) part->argv[part->args++] = value;
        else if (!strcmp(line, "env")) part->env[part->envs++] = value;
        else if (!strcmp(line, "child")) part->children[part->count++] = value;
        else if (!strcmp(line, "cwd")) part->cwd = value;
        else if (!strcmp(line, "on_term")) part->on_term = value;
        else if (!strcmp(line, "on_child")) part->on_child = value;
        else if (!strcmp(line, "uid")) part->uid = atoi(value);
        else if (!strcmp(line, "detached")) part->detached = true;
        else if (!strcmp(line, "new_session")) part->new_session = true;
        else if (!strcmp(line, "new_group")) part->new_group = true;
        else if (!strcmp(line, "stays")) part->stays = true;
        else if (!strcmp(line, "ends_with_input")) part->ends_with_input = true;
        else if (!strcmp(line, "ends_with_child")) part->ends_with_child = true;
        else if (!strcmp(line, "keeps_zombies")) part->keeps_zombies = true;
        else if (!strcmp(line, "ignores")) part->ignores = true;
        else fail(line);
    }
    free(line);
    fclose(file);
    return part;
}

static void enrol(const char *who, pid_t pid) {
    char path[PATH_MAX], text[4096], from[PATH_MAX + 300], to[PATH_MAX + 300];
    snprintf(path, sizeof path, "/proc/%d/stat", pid);
    FILE *stat = fopen(path, "r");
    if (!stat) return; /* gone already */
    size_t length = fread(text, 1, sizeof text - 1, stat);
    fclose(stat);
    text[length] = 0;
    char *field = strrchr(text, ')') + 1;
    for (int n = 0; n < 20; n++) field = strchr(field, ' ') + 1;
    field[strcspn(field, " ")] = 0;
    snprintf(from, sizeof from, "%s/roll/.%s", root, who);
    snprintf(to, sizeof to, "%s/roll/%s", root, who);
    FILE *written = fopen(from, "w");
    if (!written) fail(from);
    fprintf(written, "%d %s", pid, field);
    fclose(written);
    if (rename(from, to)) fail(to);
}

static void become(const char *who) {
    char path[PATH_MAX + 300];
    snprintf(path, sizeof path, "%s/parts/%s", root, who);
    struct part *part = read_part(path);
    setenv("ACTOR", path, 1);
    for (int n = 0; n < part->envs; n++) putenv(part->env[n]);
    if (part->cwd && chdir(part->cwd)) fail(part->cwd);
    sigset_t none;
    sigemptyset(&none);
    if (strncmp(part->program, root, strlen(root))) sigprocmask(SIG_SETMASK, &none, NULL);
    execv(part->program, part->argv);
    fail(part->program);
}

/* Start a part; one that is no actor enrols through its parent. */
static void start(const char *who) {
    char path[PATH_MAX + 300];
    int input[2];
    snprintf(path, sizeof path, "%s/parts/%s", root, who);
    struct part *part = read_part(path);
    if (pipe2(input, O_CLOEXEC)) fail("pipe");
    pid_t child = fork();
    if (child == 0) {
        if (part->detached) {
            pid_t first_half = getpid();
            if (fork()) _exit(0);
            while (getppid() == first_half) usleep(200);
        }
        if (part->new_session) setsid();
        if (part->new_group) setpgid(0, 0);
        if (part->ends_with_input) dup2(input[0], 0);
        become(who);
    }
    last_started = child;
    close(input[0]);
    if (!part->ends_with_input) close(input[1]); /* else it stays open for as long as this process lives */
    if (part->detached) waitpid(child, NULL, 0);
    if (strncmp(part->program, root, strlen(root))) enrol(who, child);
    free(part);
}

static void leave_zombie(const char *who) {
    siginfo_t ended;
    pid_t child = fork();
    if (child == 0) _exit(0);
    waitid(P_PID, child, &ended, WEXITED | WNOWAIT);
    enrol(who, child);
}

/* Do what setproctitle does: write over the memory that /proc/PID/cmdline shows. */
static void retitle(char **argv, const char *title) {
    char *begin = argv[0], *end = argv[0];
    for (int n = 0; argv[n]; n++) end = argv[n] + strlen(argv[n]) + 1;
    memset(begin, 0, end - begin);
    strncpy(begin, title, end - begin - 1);
}

static void become_user(int uid) {
    if (setresuid(uid, uid, uid)) fail("setresuid");
    prctl(PR_SET_DUMPABLE, 1); /* or /proc would show it as root's */
}

static void obey(struct part *part, char **argv, char *line) {
    char *rest = strchr(line, ' ');
    if (rest) *rest++ = 0;
    sigset_t none, before;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, &before); /* what is pending is delivered first */
    sigprocmask(SIG_SETMASK, &before, NULL);
    if (!strcmp(line, "quit")) {
        note("bye\n");
        _exit(0);
    } else if (!strcmp(line, "die")) end();
    else if (!strcmp(line, "start")) start(rest);
    else if (!strcmp(line, "become")) {
        note("becomes %s\n", rest);
        become(rest);
    } else if (!strcmp(line, "zombie")) leave_zombie(rest);
    else if (!strcmp(line, "retitle")) retitle(argv, rest);
    else if (!strcmp(line, "rename")) prctl(PR_SET_NAME, rest);
    else if (!strcmp(line, "setuid")) become_user(atoi(rest));
    else if (!strcmp(line, "stop")) raise(SIGSTOP);
    else if (!strcmp(line, "reap")) part->keeps_zombies = false;
    else if (!strcmp(line, "chdir") && chdir(rest)) fail(rest);
}

/* What it does when it is asked to end: "start NAME" and end, "linger NAME" and go on, "stop" itself, "become NAME". */
static void answer(struct part *part) {
    asked_to_end = 0;
    if (part->on_term) {
        char *rest = strchr(part->on_term, ' ');
        if (!strncmp(part->on_term, "start ", 6)) start(rest + 1);
        if (!strncmp(part->on_term, "linger ", 7)) start(rest + 1);
        if (!strncmp(part->on_term, "become ", 7)) {
            note("becomes %s\n", rest + 1);
            become(rest + 1);
        }
        if (!strcmp(part->on_term, "stop")) raise(SIGSTOP);
        if (strncmp(part->on_term, "start ", 6)) return;
    } else if (part->stays)
        return;
    end();
}

/* Note what became of children; says whether the one that was started last ended, and not one that it inherited. */
static bool reap(void) {
    int status;
    pid_t child;
    bool any = false;
    while ((child = waitpid(-1, &status, WNOHANG)) > 0) {
        any = any || child == last_started;
        if (WIFSIGNALED(status)) note("child %d signal %d\n", child, WTERMSIG(status));
        else note("child %d exit %d\n", child, WEXITSTATUS(status));
    }
    return any;
}

int main(int argc, char **argv) {
    char path[PATH_MAX + 300], *own = getenv("ACTOR");
    (void)argc;
    if (!own) return 2;
    snprintf(root, sizeof root, "%s", own);
    snprintf(name, sizeof name, "%s", strrchr(root, '/') + 1);
    *strrchr(root, '/') = 0;
    *strrchr(root, '/') = 0;
    struct part *part = read_part(own);
    snprintf(path, sizeof path, "%s/log/%s", root, name);
    book = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    if (book < 0) fail(path);
    if (getenv("ACTOR_ALONE")) { /* let the parent go, and belong to whoever takes orphans */
        unsetenv("ACTOR_ALONE");
        pid_t first_half = getpid();
        if (fork()) _exit(0);
        while (getppid() == first_half) usleep(200);
        if (part->new_session) setsid();
    }
    sigset_t blocked, before;
    sigfillset(&blocked);
    sigprocmask(SIG_SETMASK, &blocked, NULL);
    sigemptyset(&before);
    for (int which = 1; which < SIGRTMAX; which++) {
        if (which == SIGKILL || which == SIGSTOP || (which >= 32 && which < SIGRTMIN)) continue;
        struct sigaction action = {.sa_handler = which == SIGCHLD ? on_child : on_signal};
        if (which == SIGTERM && part->ignores) action.sa_handler = SIG_IGN;
        sigaction(which, &action, NULL);
    }
    snprintf(path, sizeof path, "%s/control/%s", root, name);
    if (mkfifo(path, 0600)) fail(path);
    int control = open(path, O_RDWR | O_CLOEXEC);
    if (control < 0) fail(path);
    for (int n = 0; n < part->count; n++) start(part->children[n]);
    enrol(name, getpid());
    if (part->uid >= 0) become_user(part->uid);
    struct pollfd heard[2] = {{.fd = control, .events = POLLIN}, {.fd = 0, .events = POLLIN}};
    while (true) {
        if (asked_to_end) answer(part);
        if (!part->keeps_zombies && reap()) {
            if (part->ends_with_child) end();
            if (part->on_child) start(part->on_child);
            part->on_child = NULL;
        }
        if (ppoll(heard, part->ends_with_input ? 2 : 1, NULL, &before) <= 0) continue;
        if (heard[0].revents & POLLIN) {
            char text[4096], *left = text, *line;
            ssize_t length = read(control, text, sizeof text - 1);
            text[length > 0 ? length : 0] = 0;
            while ((line = strsep(&left, "\n"))) if (*line) obey(part, argv, line);
        }
        if (part->ends_with_input && heard[1].revents) {
            char text[512];
            if (read(0, text, sizeof text) <= 0) {
                note("end of input\n");
                _exit(0);
            }
        }
    }
}
