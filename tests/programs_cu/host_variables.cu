// SPDX-License-Identifier: MIT
// Kernels that are given addresses of variables: of all that they may access, or, by "wrong", of the host's. "// want NAME" stands in
// the line that is to be told for one.
#include "host_variables.cuh"
#include <host_variables_marks.h> // a header that is not read: -isystem
#include <cstdio>
#include <cstring>
#define DEV      __device__
#define ondevice __device__
#define REAL     int
struct point {
    int x, y;
};
static int behind_macros;
#define TABLE(name) __device__ int name[4]
int global;
static int quiet[4], *unused, further[4] = {1};
REAL typed[4];
typedef point SHOUTED;
static SHOUTED corner;
int braces{3};
extern "C" {
int as_in_c;
}
namespace n
{
int spaced[4];
int twin[4]; // a device's one has its name
namespace
{
int nameless;
}
} // namespace n
namespace m
{
static __device__ int twin[4];
}
const int constant[4] = {1, 2, 3, 4};
constexpr int fixed[4] = {1, 2, 3, 4};
static const char *const names[] = {"a", "b"};
DEV int marked[4];
ondevice int marked_so[4];
TABLE(made);
#ifdef commanded
commanded int by_command[4];
#endif
__managed__ int managed[4];
__constant__ int held[4];
struct counters {
    static __device__ int all;
};
__device__ int counters::all;
template <class T> __device__ T several[4];
static int registered[4], unregistered[4];
struct members {
    static int classic, *pointer;
    DEV static int marked;
    inline static int modern[2];
    int unused;
    int get() const
    {
        return unused;
    }
};
int members::classic = 1, *members::pointer;
DEV int members::marked;
struct {
    int x;
} with_body, *with_body_too;
enum mode { OFF, ON } moded;
struct __align__(8) DEVICE_LIKE
{
    int x;
}
static with_head;
in_unread_header int marked_elsewhere[4];
in_unread_header_too marked_as_type[4];
namespace hosts
{
int shared_name[4], kept_name;
}
__device__ int shared_name[4];
static int of_both[4];
__host__ __device__ int pick()
{
#ifdef __CUDA_ARCH__
    return 1;
#else
    return of_both[0];
#endif
}
__global__ void read(const int *p, int *out)
{
    *out += p[0];
}
__global__ void write(int *p)
{
    *p = 3;
}
__global__ void update(int *p)
{
    atomicAdd(p, 1);
}
__global__ void own(int *out, const char *text)
{
    static int kept[4], named[2];
    kept[0] = named[1] = *out + text[0];
    *out = kept[0] + fixed[threadIdx.x] + (names[0] == nullptr) + pick();
}
template <class T> static int *of_device(const T &symbol)
{
    void *at = nullptr;
    cudaGetSymbolAddress(&at, symbol);
    return (int *)at;
}
static void right(int *out)
{
    static int named[2];
    int *at;
    read<<<1, 1>>>(of_device(marked), out);
    read<<<1, 1>>>(of_device(marked_so), out);
    read<<<1, 1>>>(of_device(made), out);
#ifdef commanded
    read<<<1, 1>>>(of_device(by_command), out);
#endif
    write<<<1, 1>>>(managed);
    read<<<1, 1>>>(of_device(m::twin), out);
    write<<<1, 1>>>(of_device(of_header));
    cudaGetSymbolAddress((void **)&at, counters::all);
    update<<<1, 1>>>(at);
    cudaGetSymbolAddress((void **)&at, several<int>);
    update<<<1, 1>>>(at);
    cudaGetSymbolAddress((void **)&at, members::marked);
    update<<<1, 1>>>(at);
    read<<<1, 1>>>(of_device(marked_elsewhere), out);
    read<<<1, 1>>>(of_device(marked_as_type), out);
    read<<<1, 1>>>(of_device(shared_name), out);
    in_other_file(out);
    hosts::shared_name[hosts::kept_name] =
        1; // of the names of a device's, here and in the other file
    cudaGetSymbolAddress((void **)&at, held);
    read<<<1, 1>>>(at, out);
    cudaHostRegister(registered, sizeof registered, 0);
    write<<<1, 1>>>(registered);
    int *heap = new int[4](), yes = 0;
    cudaHostRegister(heap, 4 * sizeof *heap, 0);
    update<<<1, 2>>>(heap);
    cudaHostGetDevicePointer((void **)&at, heap, 0);
    cudaDeviceSynchronize();
    cudaDeviceGetAttribute(&yes, cudaDevAttrCanUseHostPointerForRegisteredMem, 0);
    printf("%d %d %d\n", heap[0], at == heap, yes);
    cudaHostUnregister(heap);
    delete[] heap;
    cudaMemcpy(out, quiet, 4, cudaMemcpyHostToDevice);
    cudaMemcpy(further, out, 4, cudaMemcpyDeviceToHost);
    own<<<1, 1>>>(out, "text");
    named[behind_macros++] = 1;
}
struct addresses {
    int *global, *quiet, *further, *typed, *braces, *spaced, *nameless, *in_header, *in_main,
        *alone, *inside, *local, *unregistered, *behind_macros, *member, *modern, *body, *head;
    mode *moded;
    volatile int *as_in_c;
    point *corner;
};
__global__ void wrong(addresses a, int *out)
{
    point place;
    switch (threadIdx.x) {
    case 0:
        *out = *a.global; // want global
        break;
    case 1:
        *out = a.quiet[2]; // want quiet[2]
        break;
    case 2:
        a.further[0] = 3; // want further[0]
        break;
    case 3:
        atomicAdd(a.typed, 1); // want typed[0]
        break;
    case 4:
        atomicCAS(a.braces, 3, 4); // want braces
        break;
    case 5:
        *out = *a.as_in_c; // want as_in_c
        break;
    case 6:
        *a.as_in_c = 3; // want as_in_c
        break;
    case 7:
        memset(a.spaced, 0, 16); // want spaced[0]
        break;
    case 8:
        *a.nameless = 3; // want nameless
        break;
    case 9:
        memcpy(&place, a.corner, sizeof place); // want corner
        break;
    case 10:
        *out = a.in_header[0]; // want in_header[0]
        break;
    case 11:
        a.in_main[1]++; // want in_main[1]
        break;
    case 12:
        *a.alone = 1; // want alone
        break;
    case 13:
        a.inside[1] = 1; // want inside[1]
        break;
    case 14:
        *a.local = 1; // want an_address
        break;
    case 15:
        a.unregistered[0] = 1; // want unregistered[0]
        break;
    case 16:
        *a.behind_macros = 1; // want behind_macros
        break;
    case 17:
        *a.member = 1; // want classic
        break;
    case 18:
        *out = a.modern[1]; // want modern[1]
        break;
    case 19:
        *a.body = 1; // want with_body
        break;
    case 20:
        *out = *a.moded; // want moded
        break;
    case 21:
        *a.head = 1; // want with_head
        break;
    default:
        break;
    }
}
template <class T> T *of_template()
{
    static T inside[2];
    return inside;
}
static int *of_function()
{
    static int kept[4], alone;
    return kept[0] ? kept : &alone;
}
int main(int argc, char **argv)
{
    static int in_main[4];
    int *out, local = 0;
    cudaMalloc(&out, 16);
    cudaMemset(out, 0, 16);
    if (argc > 1 && strcmp(argv[1], "wrong") == 0) {
        cudaHostRegister(unregistered, sizeof unregistered, 0);
        cudaHostUnregister(unregistered);
        const addresses a = {&global,
                             quiet,
                             further,
                             typed,
                             &braces,
                             n::spaced,
                             &n::nameless,
                             in_header,
                             in_main,
                             of_function(),
                             of_template<int>(),
                             &local,
                             unregistered,
                             &behind_macros,
                             &members::classic,
                             members::modern,
                             &with_body.x,
                             &with_head.x,
                             &moded,
                             &as_in_c,
                             &corner};
        wrong<<<1, 32>>>(a, out);
    } else {
        right(out);
    }
    printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
    cudaFree(out);
    return unused != nullptr || with_body_too != nullptr || members::pointer != nullptr;
}
