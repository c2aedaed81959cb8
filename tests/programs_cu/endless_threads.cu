// SPDX-License-Identifier: MIT
// Makes threads of the host's without an end: the time limit's signal may come as one begins.
#include <thread>
#include <vector>

static void make()
{
    for (;;)
        std::thread([] {}).join();
}

int main()
{
    std::vector<std::thread> all;
    for (int k = 0; k < 4; k++)
        all.emplace_back(make);
    for (auto &one : all)
        one.join();
}
