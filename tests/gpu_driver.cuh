// SPDX-License-Identifier: MIT
/* Runs one kernel of a corpus file on a GPU: DRIVER KERNEL GRID BLOCK SHARED HEAP ARGUMENT..., with
 * GRID and BLOCK as X,Y,Z, and a HEAP of 0 for CUDA's default. An argument @FILE is a buffer: the
 * file's bytes go in, and after the launch what the kernel left there replaces them. Any other is a
 * scalar, or a struct as its bytes in hex. With -n RUNS in front the kernel runs so often, each time
 * from the file's bytes in the same memory, and the results of all runs replace them, one behind the
 * other. gpu_corpus.py writes the file that includes the corpus and then this, with a table of its
 * kernels. */
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <string>
#include <tuple>
#include <type_traits>
#include <vector>

namespace gpu_driver
{

[[noreturn]] void fail(const std::string &what)
{
    fprintf(stderr, "%s\n", what.c_str());
    exit(1);
}

void must(cudaError_t status, const char *call)
{
    if (status != cudaSuccess)
        fail(std::string(call) + ": " + cudaGetErrorName(status));
}

struct argument {
    std::string text, bytes, results;
    void *memory = nullptr; /* of a buffer, on the device */
};

struct launch_shape {
    dim3 grid, block;
    size_t shared_bytes;
    bool cooperative;
};

dim3 dim_of(const char *text)
{
    dim3 d;
    if (sscanf(text, "%u,%u,%u", &d.x, &d.y, &d.z) != 3)
        fail(std::string("no X,Y,Z: ") + text);
    return d;
}

template <class T> T value_of(const argument &argument)
{
    T value{};
    const std::string &text = argument.text;
    if constexpr (std::is_pointer_v<T>) {
        value = static_cast<T>(argument.memory);
    } else if constexpr (std::is_floating_point_v<T>) {
        value = static_cast<T>(strtod(text.c_str(), nullptr));
    } else if constexpr (std::is_integral_v<T> || std::is_enum_v<T>) {
        value =
            static_cast<T>(text[0] == '-' ? (unsigned long long)strtoll(text.c_str(), nullptr, 0)
                                          : strtoull(text.c_str(), nullptr, 0));
    } else {
        if (text.size() != 2 + 2 * sizeof value)
            fail("no struct of " + std::to_string(sizeof value) + " bytes: " + text);
        unsigned char *bytes = reinterpret_cast<unsigned char *>(&value);
        for (size_t k = 0; k < sizeof value; k++)
            bytes[k] = (unsigned char)std::stoul(text.substr(2 + 2 * k, 2), nullptr, 16);
    }
    return value;
}

/* The kernel's own parameter types say what its arguments are. */
template <class... P, size_t... K>
void launch_with(void (*kernel)(P...), const launch_shape &shape,
                 const std::vector<argument> &arguments, std::index_sequence<K...>)
{
    if (arguments.size() != sizeof...(P))
        fail("the kernel has " + std::to_string(sizeof...(P)) + " parameters");
    std::tuple<std::decay_t<P>...> values{value_of<std::decay_t<P>>(arguments[K])...};
    void *pointers[] = {&std::get<K>(values)..., nullptr};
    const void *function = reinterpret_cast<const void *>(kernel);
    must(cudaFuncSetAttribute(function, cudaFuncAttributeMaxDynamicSharedMemorySize,
                              (int)shape.shared_bytes),
         "cudaFuncSetAttribute");
    must(shape.cooperative ? cudaLaunchCooperativeKernel(function, shape.grid, shape.block,
                                                         pointers, shape.shared_bytes, nullptr)
                           : cudaLaunchKernel(function, shape.grid, shape.block, pointers,
                                              shape.shared_bytes, nullptr),
         "cudaLaunchKernel");
    must(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
}

template <class... P>
void launch_any(void (*kernel)(P...), const launch_shape &shape,
                const std::vector<argument> &arguments)
{
    launch_with(kernel, shape, arguments, std::index_sequence_for<P...>{});
}

/* A function of its own for each kernel, so that all of them fit one table. */
template <auto kernel>
void launch(const launch_shape &shape, const std::vector<argument> &arguments)
{
    launch_any(kernel, shape, arguments);
}

struct entry {
    const char *name;
    void (*launch)(const launch_shape &shape, const std::vector<argument> &arguments);
    bool cooperative; /* it meets the whole grid */
};

argument argument_of(const char *text)
{
    argument made{text};
    if (text[0] != '@')
        return made;
    std::ifstream file(text + 1, std::ios::binary);
    made.bytes.assign(std::istreambuf_iterator<char>(file), {});
    if (made.bytes.empty())
        fail(std::string("nothing in ") + text);
    must(cudaMalloc(&made.memory, made.bytes.size()), "cudaMalloc");
    return made;
}

void fill(const argument &buffer)
{
    must(
        cudaMemcpy(buffer.memory, buffer.bytes.data(), buffer.bytes.size(), cudaMemcpyHostToDevice),
        "cudaMemcpy");
}

void keep_result(argument &buffer)
{
    size_t before = buffer.results.size();
    buffer.results.resize(before + buffer.bytes.size());
    must(cudaMemcpy(&buffer.results[before], buffer.memory, buffer.bytes.size(),
                    cudaMemcpyDeviceToHost),
         "cudaMemcpy");
}

void write_results(const argument &buffer)
{
    std::ofstream file(buffer.text.substr(1), std::ios::binary);
    if (!file.write(buffer.results.data(), (std::streamsize)buffer.results.size()).flush())
        fail(buffer.text.substr(1) + " can't be written");
}

int run(const entry *entries, int argc, char **argv)
{
    int n_runs = 1;
    if (argc > 2 && strcmp(argv[1], "-n") == 0) {
        n_runs = atoi(argv[2]);
        argc -= 2;
        argv += 2;
    }
    if (argc < 6 || n_runs < 1)
        fail("usage: [-n RUNS] KERNEL GRID BLOCK SHARED HEAP ARGUMENT...");
    for (; entries->name; entries++) {
        if (strcmp(entries->name, argv[1]) != 0)
            continue;
        if (size_t heap_bytes = strtoull(argv[5], nullptr, 10))
            must(cudaDeviceSetLimit(cudaLimitMallocHeapSize, heap_bytes), "cudaDeviceSetLimit");
        std::vector<argument> arguments;
        for (int k = 6; k < argc; k++)
            arguments.push_back(argument_of(argv[k]));
        launch_shape shape = {dim_of(argv[2]), dim_of(argv[3]), strtoull(argv[4], nullptr, 10),
                              entries->cooperative};
        for (int n = 0; n < n_runs; n++) {
            for (const argument &one : arguments)
                if (one.memory)
                    fill(one);
            entries->launch(shape, arguments);
            for (argument &one : arguments)
                if (one.memory)
                    keep_result(one);
        }
        for (const argument &one : arguments)
            if (one.memory)
                write_results(one);
        return 0;
    }
    fail(std::string("no such kernel: ") + argv[1]);
}

} // namespace gpu_driver
