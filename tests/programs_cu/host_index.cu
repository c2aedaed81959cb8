// SPDX-License-Identifier: MIT
// The host reads beside an array of its own, and goes on, as it does without Reductio.
#include <cstdio>

int main(int argc, char **)
{
    volatile int all[4] = {1, 2, 3, 4};
    const int k = argc - 2;
    const int before = all[k];
    printf("%s\n", before == 1 ? "one" : "another");
}
