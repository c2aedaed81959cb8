// SPDX-License-Identifier: MIT
// What the programs print of a result, "NAME: ok" or "NAME: WRONG", and copies to the device and back.
#pragma once
#include <cstdio>
#include <vector>

static void check(const char *name, bool right)
{
    printf("%s: %s\n", name, right ? "ok" : "WRONG");
}

template <class T> static T *copy_of(const std::vector<T> &from)
{
    T *to;
    cudaMalloc(&to, from.size() * sizeof(T));
    cudaMemcpy(to, from.data(), from.size() * sizeof(T), cudaMemcpyHostToDevice);
    return to;
}

template <class T> static std::vector<T> back(const T *from, size_t n)
{
    std::vector<T> to(n);
    cudaMemcpy(to.data(), from, n * sizeof(T), cudaMemcpyDeviceToHost);
    return to;
}
