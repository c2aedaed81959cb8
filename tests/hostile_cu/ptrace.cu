// SPDX-License-Identifier: MIT
#include "hostile.h"
#include <sys/ptrace.h>

HOSTILE()
{
    tell("ptrace", ptrace(PTRACE_ATTACH, target(), nullptr, nullptr));
    tell("detach", ptrace(PTRACE_DETACH, target(), nullptr, nullptr));
    return 0;
}

int main(void)
{
    return IN_MAIN ? hostile() : 0;
}
