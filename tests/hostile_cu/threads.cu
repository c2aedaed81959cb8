// SPDX-License-Identifier: MIT
#include "hostile.h"
#include <pthread.h>

static void *wait_a_while(void *)
{
    sleep(3);
    return nullptr;
}

/* At most 200. */
HOSTILE()
{
    int n = 0;
    for (; n < 200; n++) {
        pthread_t made;
        if (pthread_create(&made, nullptr, wait_a_while, nullptr) != 0)
            break;
    }
    fprintf(stderr, "made %d\n", n);
    sleep(2);
    return 0;
}

int main(void)
{
    return IN_MAIN ? hostile() : 0;
}
