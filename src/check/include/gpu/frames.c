// SPDX-License-Identifier: MIT
/* The recording's frames, and the process from its start to its end. */
#define _GNU_SOURCE
#include "recorder.h"

#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

int __real_main(int argc, char **argv, char **environment);
_Noreturn void __real_exit(int status);
_Noreturn void __real_abort(void);
int __wrap_main(int argc, char **argv, char **environment);
_Noreturn void __wrap_exit(int status);
_Noreturn void __wrap_abort(void);

static struct {
    int fd;        /* -1: there is no recording, or its last frame is cut */
    pid_t process; /* this one, rather than one that it has made */
    unsigned timeout_s;
    char seal[40];      /* of the run */
    long long n_events; /* so far */
    bool returned;      /* from main */
    bool over;
} own = {.fd = -1};
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

__attribute__((constructor(101))) static void start(void)
{
    const char *fd = getenv("REDUCTIO_RECORDING"), *timeout = getenv("REDUCTIO_TIMEOUT"),
               *seal = getenv("REDUCTIO_SEAL");
    if (!fd || !timeout || !seal)
        return;
    own.fd = atoi(fd);
    own.timeout_s = (unsigned)atoi(timeout);
    snprintf(own.seal, sizeof own.seal, "%s", seal);
    own.process = getpid();
    fcntl(own.fd, F_SETFD, FD_CLOEXEC);
    unsetenv("REDUCTIO_RECORDING");
    unsetenv("REDUCTIO_TIMEOUT");
    unsetenv("REDUCTIO_SEAL");
}

/* ---- frames ---- */

bool rd_gpu_begin(struct rd_gpu_text *text, const char *event)
{
    if (own.fd < 0 || own.process != getpid())
        return false;
    text->file = open_memstream(&text->text, &text->size);
    if (text->file)
        fprintf(text->file, "{\"event\":\"%s\"", event);
    return text->file;
}

void rd_gpu_put_text(struct rd_gpu_text *text, const char *key, const char *value)
{
    fprintf(text->file, ",\"%s\":\"", key);
    for (; *value; value++) {
        if ((unsigned char)*value < ' ' || *value == 0x7f)
            fprintf(text->file, "\\u%04x", (unsigned)*value);
        else
            fprintf(text->file, "%s%c", strchr("\"\\", *value) ? "\\" : "", *value);
    }
    fputc('"', text->file);
}

void rd_gpu_put_number(struct rd_gpu_text *text, const char *key, long long value)
{
    fprintf(text->file, ",\"%s\":%lld", key, value);
}

const char *rd_gpu_seal(void)
{
    return own.seal;
}

static bool put(const void *bytes, size_t size_bytes)
{
    while (size_bytes > 0) {
        const ssize_t n = write(own.fd, bytes, size_bytes);
        if (n <= 0)
            return false;
        bytes = (const char *)bytes + n;
        size_bytes -= (size_t)n;
    }
    return true;
}

void rd_gpu_write(struct rd_gpu_text *text, const void *payload, size_t size_bytes)
{
    fputc('}', text->file);
    const bool whole = fclose(text->file) == 0;
    const uint32_t length = (uint32_t)text->size;
    const uint64_t payload_bytes = size_bytes;
    pthread_mutex_lock(&lock);
    if (own.fd >= 0 && !own.over) {
        if (!(whole && put(&length, sizeof length) && put(&payload_bytes, sizeof payload_bytes) &&
              put(text->text, text->size) && put(payload, size_bytes)))
            own.fd = -1; /* who reads it sees a cut */
        own.n_events++;
    }
    pthread_mutex_unlock(&lock);
    free(text->text);
}

void rd_gpu_lack(const char *sentence)
{
    struct rd_gpu_text text;
    if (!rd_gpu_begin(&text, "lack"))
        return;
    rd_gpu_put_text(&text, "text", sentence);
    rd_gpu_write(&text, NULL, 0);
}

void rd_gpu_end(const char *how, int status)
{
    struct rd_gpu_text text;
    if (own.over || !rd_gpu_begin(&text, "end"))
        return;
    rd_gpu_put_text(&text, "how", how);
    rd_gpu_put_number(&text, "status", status);
    rd_gpu_put_text(&text, "seal", own.seal);
    rd_gpu_put_number(&text, "events", own.n_events);
    rd_gpu_write(&text, NULL, 0);
    own.over = true;
}

/* ---- the process ---- */

/* Tells which kernel does not end, if it is one that the program waits for. */
static void *watch(void *self)
{
    (void)self;
    sleep(own.timeout_s);
    if (rd_gpu_is_busy())
        rd_gpu_runs_on(rd_gpu_last_launch());
    rd_gpu_end("timeout", 0);
    _exit(1);
}

static void start_watch(void)
{
    pthread_t thread;
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    if (own.fd >= 0 && pthread_create(&thread, NULL, watch, NULL) == 0)
        pthread_detach(thread);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
}

static void on_exit_of(int status, void *self)
{
    (void)self;
    rd_gpu_end(own.returned ? "returned" : "exit", status);
}

static void check_gpu(void)
{
    int n = 0;
    char why[300];
    struct rd_gpu_text text;
    const cudaError_t error = cudaGetDeviceCount(&n);
    if (error == cudaSuccess && n > 0)
        return;
    snprintf(why, sizeof why, "%s (%s)", cudaGetErrorName(error), cudaGetErrorString(error));
    if (rd_gpu_begin(&text, "no-gpu")) {
        rd_gpu_put_text(&text, "text", why);
        rd_gpu_write(&text, NULL, 0);
    }
    _exit(1);
}

int __wrap_main(int argc, char **argv, char **environment)
{
    check_gpu();
    on_exit(on_exit_of, NULL);
    start_watch();
    const int status = __real_main(argc, argv, environment);
    rd_gpu_settle("the end of main");
    own.returned = true;
    return status;
}

void __wrap_exit(int status)
{
    rd_gpu_settle("exit");
    __real_exit(status);
}

void __wrap_abort(void)
{
    rd_gpu_settle("abort");
    __real_abort();
}
