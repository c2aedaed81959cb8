// SPDX-License-Identifier: MIT
#include "hostile.h"
#include <sys/mman.h>
#include <pthread.h>

static void *give(void *)
{
    return (void *)1; /* touches no memory of the program */
}

/* What a program may do in its sandbox: threads, processes, memory, files of its own, and reading. */
HOSTILE()
{
    int status = 1;
    void *given = nullptr;
    pthread_t thread;
    if (pthread_create(&thread, nullptr, give, nullptr) == 0)
        pthread_join(thread, &given);
    pid_t child = fork();
    if (child == 0)
        _exit(7);
    waitpid(child, &status, 0);
    FILE *own = tmpfile(), *file = fopen("kernels.cu", "r"),
         *output = popen("echo from a shell", "r");
    char text[64] = "";
    if (output && fgets(text, sizeof text, output))
        fputs(text, stderr);
    void *memory = mmap(nullptr, 1ul << 40, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    fprintf(stderr, "thread %d, process %d, reading %d, mapping %d\n", given != nullptr,
            WEXITSTATUS(status), file != nullptr, memory != MAP_FAILED);
    fprintf(stderr, "kill itself: %d\n", kill(getpid(), 0));
    if (own)
        fclose(own);
    return 0;
}

int main(void)
{
    return IN_MAIN ? hostile() : 0;
}
