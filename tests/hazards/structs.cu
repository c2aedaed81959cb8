// SPDX-License-Identifier: MIT
// Structs by value: what a function takes or gives, and is not inlined, is read and written where it lies.
#include <new>

#define APART __device__ __noinline__

// Structs of characters, of several words, with padding, and with bytes that members share.
struct pixel {
    unsigned char red, green, blue;
};
struct sum_of_two {
    float x, y;
};
struct row {
    int cells[9];
};
struct marked {
    char mark;
    int value;
};
union word {
    int whole;
    unsigned char bytes[4];
};

template <class T> APART T copy_of(T value)
{
    return value;
}
template <class T> APART bool is_any(T)
{
    return true;
}
APART pixel grey(int value)
{
    return {(unsigned char)value, (unsigned char)value, (unsigned char)value};
}
APART sum_of_two numbers(int value)
{
    return {(float)value, 1};
}
APART row cells(int value)
{
    return {{value}};
}
APART marked mark(int value)
{
    return {'m', value};
}
APART word whole(int value)
{
    return {value};
}
template <class T> APART T made(int value);
template <> APART pixel made(int value)
{
    return grey(value);
}
template <> APART sum_of_two made(int value)
{
    return numbers(value);
}
template <> APART row made(int value)
{
    return cells(value);
}
template <> APART marked made(int value)
{
    return mark(value);
}
template <> APART word made(int value)
{
    return whole(value);
}
template <> APART float4 made(int value)
{
    return {(float)value, 1, 2, 3};
}

// ---- who reads it ----

// run reads_pixel: --grid 1 --block 2 --arg u8[6]:zero
// want reads_pixel: race/read-write
// right reads_pixel: right_pixel
// run reads_row: --grid 1 --block 2 --arg i32[18]:zero
// want reads_row: race/read-write
// right reads_row: right_row
template <class T> __device__ void reads(T *out)
{
    __shared__ T s[2];
    int t = threadIdx.x;
    s[t] = made<T>(t);
    out[t] = copy_of(s[t ^ 1]);
}
__global__ void reads_pixel(pixel *out)
{
    reads(out);
}
__global__ void reads_row(row *out)
{
    reads(out);
}

APART sum_of_two operator+(sum_of_two a, sum_of_two b)
{
    return {a.x + b.x, a.y + b.y};
}

// run adds_structs: --grid 1 --block 64 --arg f32[2]:zero --arg f32[128]:iota
// want adds_structs: race/read-write
// right adds_structs: adds_structs_in_step
__global__ void adds_structs(sum_of_two *out, const sum_of_two *in)
{
    __shared__ sum_of_two s[64];
    int t = threadIdx.x;
    s[t] = in[t];
    for (int w = 32; w > 0; w /= 2)
        if (t < w)
            s[t] = s[t] + s[t + w];
    if (t == 0)
        out[0] = s[0];
}

// run adds_structs_in_step: --grid 1 --block 64 --arg f32[2]:zero --arg f32[128]:iota
// want adds_structs_in_step: clean
__global__ void adds_structs_in_step(sum_of_two *out, const sum_of_two *in)
{
    __shared__ sum_of_two s[64];
    int t = threadIdx.x;
    s[t] = in[t];
    for (int w = 32; w > 0; w /= 2) {
        __syncthreads();
        if (t < w)
            s[t] = s[t] + s[t + w];
    }
    if (t == 0)
        out[0] = s[0];
}

// Reads a struct whose values nobody uses.
// run reads_for_nothing: --grid 1 --block 2 --arg i32[4]:zero
// want reads_for_nothing: race/read-write
__global__ void reads_for_nothing(marked *out)
{
    out[threadIdx.x] = mark(1);
    if (is_any(out[threadIdx.x ^ 1]))
        out[threadIdx.x].value = 2;
}

// ---- who writes it ----

// run writes_pixel: --grid 1 --block 2 --arg u8[3]:zero
// want writes_pixel: race/write-write
// right writes_pixel: right_pixel
__global__ void writes_pixel(pixel *out)
{
    out[0] = grey(threadIdx.x);
}

// run writes_vector: --grid 1 --block 2 --arg f32[4]:zero
// want writes_vector: race/write-write
// right writes_vector: right_vector
__global__ void writes_vector(float4 *out)
{
    out[0] = made<float4>(threadIdx.x);
}

// ---- what was never set, and what is no element ----

// run unset_pixel: --grid 1 --block 2 --arg u8[6]:zero
// want unset_pixel: uninitialised
// right unset_pixel: right_pixel
__global__ void unset_pixel(pixel *out)
{
    __shared__ pixel s[2];
    int t = threadIdx.x;
    if (t == 0)
        s[1] = grey(1);
    __syncthreads();
    out[t] = copy_of(s[t]);
}

// run reads_beyond: --grid 1 --block 2 --arg f32[4]:zero --arg f32[4]:zero
// want reads_beyond: out-of-bounds
__global__ void reads_beyond(sum_of_two *out, sum_of_two *in)
{
    out[threadIdx.x] = copy_of(in[threadIdx.x + 1]);
}

// run writes_beyond: --grid 1 --block 2 --arg u8[6]:zero
// want writes_beyond: out-of-bounds
__global__ void writes_beyond(pixel *out)
{
    out[threadIdx.x + 1] = grey(threadIdx.x);
}

// ---- what is right ----

// Returns a struct, which is written behind all else that the function does.
template <class T> APART T others(const T *s, int t)
{
    T other = s[t ^ 1];
    __syncthreads();
    return other;
}

template <class T> __device__ void turn(T *out)
{
    __shared__ T s[2];
    int t = threadIdx.x;
    s[t] = made<T>(t);
    __syncthreads();
    s[t] = others(s, t);
    __syncthreads();
    out[t] = copy_of(copy_of(s[t ^ 1]));
    if (is_any(out[t]))
        s[t ^ 1] = out[t];
}

// run right_pixel: --grid 1 --block 2 --arg u8[6]:uninit
// want right_pixel: clean
__global__ void right_pixel(pixel *out)
{
    turn(out);
}

// run right_row: --grid 1 --block 2 --arg i32[18]:uninit
// want right_row: clean
__global__ void right_row(row *out)
{
    turn(out);
}

// run right_marked: --grid 1 --block 2 --arg i32[4]:uninit
// want right_marked: clean
__global__ void right_marked(marked *out)
{
    turn(out);
}

// run right_word: --grid 1 --block 2 --arg i32[2]:uninit
// want right_word: clean
__global__ void right_word(word *out)
{
    turn(out);
}

// run right_vector: --grid 1 --block 2 --arg f32[8]:uninit
// want right_vector: clean
__global__ void right_vector(float4 *out)
{
    turn(out);
}

// Straight into what `new` makes.
struct pair {
    float x, y;
    pair() = default;
    __device__ pair(float a, float b) : x(a), y(b)
    {
    }
};
APART pair pair_of(int value)
{
    return pair(value, 1);
}

// run places: --grid 1 --block 2 --arg u8[3]:zero --arg f32[2]:zero
// want places: race/write-write
// right places: places_apart
__global__ void places(pixel *out, pair *pairs)
{
    new (&out[0]) pixel(grey(threadIdx.x));
    new (pairs) pair(pair_of(threadIdx.x));
}

// run places_apart: --grid 1 --block 2 --arg u8[6]:uninit --arg f32[4]:uninit
// want places_apart: clean
__global__ void places_apart(pixel *out, pair *pairs)
{
    int t = threadIdx.x;
    new (&out[t]) pixel(grey(t));
    new (pairs + t) pair{pair_of(t)};
    out[t].red += out[t].blue;
    pairs[t].x += pairs[t].y;
}

// run places_beyond: --grid 1 --block 2 --arg u8[6]:zero
// want places_beyond: out-of-bounds
// right places_beyond: places_apart
__global__ void places_beyond(pixel *out)
{
    new (&out[threadIdx.x + 1]) pixel(grey(threadIdx.x));
}

// A constructor that leaves a member out.
struct node {
    int value;
    node *next;
    __device__ node(int v) : value(v)
    {
    }
};

// run half_made: --grid 1 --block 1 --arg i32[1]:zero
// want half_made: uninitialised
// right half_made: made_whole
__global__ void half_made(int *out)
{
    node *one = new node(1);
    out[0] = one->next == nullptr;
    delete one;
}

// run made_whole: --grid 1 --block 1 --arg i32[1]:zero
// want made_whole: clean
__global__ void made_whole(int *out)
{
    pixel *one = new pixel(grey(1)), *other = new pixel{grey(2)};
    pair *both = ::new pair(pair_of(3));
    marked *padded = new marked(mark(4));
    out[0] = one->red + other->blue + (int)both->y + padded->value;
    delete one;
    delete other;
    delete both;
    delete padded;
}

// A reference is no read.
APART sum_of_two *place_of(sum_of_two &value)
{
    return &value;
}

// run by_reference: --grid 1 --block 2 --arg f32[4]:uninit
// want by_reference: clean
__global__ void by_reference(sum_of_two *out)
{
    place_of(out[threadIdx.x ^ 1]);
    *place_of(out[threadIdx.x]) = numbers(1);
}

// A struct that the kernel takes is each thread's own.
struct span {
    int n;
    sum_of_two *cells;
};

// run parameter: --grid 1 --block 2 --arg 0x00000000000000000000000000000000 --arg i32[1]:zero
// want parameter: clean
__global__ void parameter(span all, int *out)
{
    if (is_any(all) && all.n > 0)
        out[threadIdx.x] = 1;
}

// ---- what functions give to members, and to several objects ----

struct holder {
    pixel p;
    int k;
    __device__ holder(int v) : p(grey(v)), k(v)
    {
    }
};
struct careless {
    pixel p;
    int k;
    __device__ careless(int v) : p(grey(v))
    {
    }
};
#define MAKE(T, ...) new T(__VA_ARGS__)

// run made_in_parts: --grid 1 --block 1 --arg i32[1]:zero
// want made_in_parts: clean
__global__ void made_in_parts(int *out)
{
    pixel like = grey(4);
    holder *one = new holder(1);
    pixel *two = new pixel[2]{grey(1), grey(2)}, *typed = new (pixel)(grey(3)), *as = new decltype(like)(grey(4)),
          *hidden = MAKE(pixel, grey(5));
    out[0] = one->p.red + one->k + two[0].red + two[1].blue + typed->green + as->red + hidden->blue + like.red;
    delete one;
    delete[] two;
    delete typed;
    delete as;
    delete hidden;
}

// run member_left_out: --grid 1 --block 1 --arg i32[1]:zero
// want member_left_out: uninitialised
// right member_left_out: made_in_parts
__global__ void member_left_out(int *out)
{
    careless *one = new careless(1);
    out[0] = one->k;
    delete one;
}

// run second_left_out: --grid 1 --block 1 --arg i32[1]:zero
// want second_left_out: uninitialised
// right second_left_out: made_in_parts
__global__ void second_left_out(int *out)
{
    pixel *two = new pixel[2];
    two[0] = grey(1);
    out[0] = two[1].red;
    delete[] two;
}

// Where each thread's object lies is its own, and the parts are in shared memory.
// run made_apart: --grid 1 --block 2 --arg i32[2]:zero
// want made_apart: clean
__global__ void made_apart(int *out)
{
    __shared__ __align__(8) char room[2 * sizeof(holder)];
    holder *all = reinterpret_cast<holder *>(room);
    int t = threadIdx.x;
    new (all + t) holder(t);
    __syncthreads();
    out[t] = all[t ^ 1].p.green + all[t ^ 1].k;
}

// run made_at_once: --grid 1 --block 2 --arg i32[2]:zero
// want made_at_once: race
// right made_at_once: made_apart
__global__ void made_at_once(int *out)
{
    __shared__ __align__(8) char room[2 * sizeof(holder)];
    holder *all = reinterpret_cast<holder *>(room);
    int t = threadIdx.x;
    new (all + t) holder(t);
    out[t] = all[t ^ 1].k;
}
