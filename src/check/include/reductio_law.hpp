// SPDX-License-Identifier: MIT
// Hands what annotations tell to the simulator: whole numbers, and arrays of the elements that a law is of.
#ifndef RD_LAW_HPP
#define RD_LAW_HPP

#include "reductio_law.h"

#include <type_traits>

struct __half;
struct __nv_bfloat16;

#define RD_LAW               static inline __attribute__((no_sanitize("thread")))
#define RD_LAW_MISTAKE(text) __attribute__((error(text)))

// ---- numbers ----

template <class T, bool is_enum = std::is_enum<T>::value> struct __rd_law_whole {
    static const bool value = std::is_integral<T>::value;
};
template <class T> struct __rd_law_whole<T, true> {
    static const bool value = true;
};
template <class T>
RD_LAW typename std::enable_if<__rd_law_whole<T>::value>::type __rd_law_name(const T &value)
{
    if (std::is_unsigned<T>::value && (unsigned long long)value > 0x7fffffffffffffffull)
        rd_sim_law_lack("a number of the law's is 2^63 or more");
    rd_sim_law_name((long long)value);
}
template <class T>
RD_LAW_MISTAKE("a name in a law stands for a whole number, and this is none")
typename std::enable_if<!__rd_law_whole<T>::value>::type __rd_law_name(const T &value);

// ---- elements ----

template <class T> struct __rd_law_element {
    static const bool known = std::is_integral<T>::value && sizeof(T) <= 8;
    static const char *name()
    {
        static const char integers[2][9][4] = {{"", "u8", "u16", "", "u32", "", "", "", "u64"},
                                               {"", "i8", "i16", "", "i32", "", "", "", "i64"}};
        return std::is_same<T, bool>::value ? "bool"
                                            : integers[std::is_signed<T>::value][sizeof(T)];
    }
};
#define RD_LAW_FLOAT(type, title)                                                                  \
    template <> struct __rd_law_element<type> {                                                    \
        static const bool known = true;                                                            \
        static const char *name()                                                                  \
        {                                                                                          \
            return title;                                                                          \
        }                                                                                          \
    }
RD_LAW_FLOAT(float, "f32");
RD_LAW_FLOAT(double, "f64");
RD_LAW_FLOAT(__half, "f16");
RD_LAW_FLOAT(__nv_bfloat16, "bf16");

template <class T>
RD_LAW typename std::enable_if<__rd_law_element<T>::known>::type
__rd_law_take(const volatile T *cells, size_t count)
{
    rd_sim_law_array(__rd_law_element<T>::name(), (const void *)cells, sizeof(T), count);
}
template <class T>
RD_LAW_MISTAKE("a law is of an array of integers or floats, and this is none")
typename std::enable_if<!__rd_law_element<T>::known>::type
    __rd_law_take(const volatile T *cells, size_t count);

// ---- arrays ----

// What a law makes of a type: the compiler says what is wrong of the call that stands in the annotation, and of none in here.
enum { __rd_law_no_array, __rd_law_no_element, __rd_law_fits };
template <class T> struct __rd_law_cells {
    static const int kind = __rd_law_element<T>::known ? __rd_law_fits : __rd_law_no_element;
};
// Something else than what is below: a class with data() and size().
template <class T> struct __rd_law_array_of {
    template <class U>
    static auto look(U *array)
        -> decltype((void)array->size(),
                    __rd_law_cells<typename std::remove_cv<
                        typename std::remove_pointer<decltype(array->data())>::type>::type>());
    static __rd_law_array_of look(...);
    static const int kind = __rd_law_no_array;
    template <class U> RD_LAW void take(U &array)
    {
        __rd_law_take(array.data(), (size_t)array.size());
    }
};
// A pointer, or an array of which the launch tells the size: as many elements as what it points into.
template <class T> struct __rd_law_array_of<T *> {
    typedef typename std::remove_all_extents<T>::type element;
    static const int kind = __rd_law_cells<typename std::remove_cv<element>::type>::kind;
    RD_LAW void take(T *cells)
    {
        __rd_law_take((element *)cells, 0);
    }
};
template <class T> struct __rd_law_array_of<T[]> : __rd_law_array_of<T *> {
};
template <class T, size_t N> struct __rd_law_array_of<T[N]> {
    typedef typename std::remove_all_extents<T>::type element;
    static const int kind = __rd_law_cells<typename std::remove_cv<element>::type>::kind;
    RD_LAW void take(const T (&cells)[N])
    {
        __rd_law_take((const element *)cells, sizeof cells / sizeof(element));
    }
};
// An array without an element, which is a mistake of the program's and none of the annotation's.
template <class T> struct __rd_law_array_of<T[0]> : __rd_law_array_of<T *> {
    RD_LAW void take(const T (&)[0])
    {
        rd_sim_law_lack("the array has no element");
    }
};
template <class T> struct __rd_law_seen {
    typedef typename std::remove_cv<typename std::remove_reference<T>::type>::type type;
    typedef typename std::conditional<std::is_class<type>::value, type, int>::type object;
    static const int kind = std::is_class<type>::value
                                ? decltype(__rd_law_array_of<object>::look((object *)nullptr))::kind
                                : __rd_law_array_of<type>::kind;
    static const bool is_cell = __rd_law_element<
        typename std::conditional<std::is_array<type>::value, void *, type>::type>::known;
};

#define RD_LAW_IF(fits) typename std::enable_if<fits>::type
#define RD_LAW_NO_ELEMENT                                                                          \
    RD_LAW_MISTAKE("a law is of an array of integers or floats, and this is none")

template <class T>
RD_LAW RD_LAW_IF(__rd_law_seen<T>::kind == __rd_law_fits) __rd_law_array(T &&array)
{
    __rd_law_array_of<typename __rd_law_seen<T>::type>::take(array);
}
template <class T>
RD_LAW_NO_ELEMENT RD_LAW_IF(__rd_law_seen<T>::kind == __rd_law_no_element)
    __rd_law_array(T &&array);
template <class T>
RD_LAW_MISTAKE("a law speaks of an array, and this is none")
RD_LAW_IF(__rd_law_seen<T>::kind == __rd_law_no_array) __rd_law_array(T &&array);

template <class T> RD_LAW RD_LAW_IF(__rd_law_element<T>::known) __rd_law_scalar(const T &value)
{
    __rd_law_take(&value, 1);
}
template <class T>
RD_LAW_NO_ELEMENT RD_LAW_IF(!__rd_law_element<T>::known) __rd_law_scalar(const T &value);

// In a kernel: an array, or a thread's variable, of which the array has those of the lanes of a warp.
template <class T>
RD_LAW RD_LAW_IF(__rd_law_seen<T>::kind == __rd_law_no_array && __rd_law_seen<T>::is_cell)
    __rd_law_lanes(T &&value)
{
    const typename __rd_law_seen<T>::type lane = value;
    rd_sim_law_lane(__rd_law_element<typename __rd_law_seen<T>::type>::name(), &lane, sizeof lane);
}
template <class T>
RD_LAW RD_LAW_IF(__rd_law_seen<T>::kind == __rd_law_fits) __rd_law_lanes(T &&array)
{
    __rd_law_array_of<typename __rd_law_seen<T>::type>::take(array);
}
template <class T>
RD_LAW_NO_ELEMENT RD_LAW_IF(__rd_law_seen<T>::kind == __rd_law_no_element)
    __rd_law_lanes(T &&array);
template <class T>
RD_LAW_MISTAKE("a law speaks of an array, or of a thread's integer or float, and this is none")
RD_LAW_IF(__rd_law_seen<T>::kind == __rd_law_no_array && !__rd_law_seen<T>::is_cell)
    __rd_law_lanes(T &&array);

// Columns of an array of arrays.
template <class T> struct __rd_law_row {
    static const size_t columns = 0;
};
template <class T> struct __rd_law_row<T *> {
    static const size_t columns = std::rank<T>::value == 1 ? std::extent<T>::value : 0;
};
template <class T> struct __rd_law_row<T[]> : __rd_law_row<T *> {
};
template <class T, size_t N> struct __rd_law_row<T[N]> : __rd_law_row<T *> {
};
template <class T>
RD_LAW typename std::enable_if<(__rd_law_row<typename __rd_law_seen<T>::type>::columns > 0),
                               unsigned long>::type
__rd_law_columns(T &&)
{
    return __rd_law_row<typename __rd_law_seen<T>::type>::columns;
}
template <class T>
RD_LAW_MISTAKE(
    "two indices are of an array of arrays, and this is none: write one, as in A[i*n + j]")
typename std::enable_if<__rd_law_row<typename __rd_law_seen<T>::type>::columns == 0,
                        unsigned long>::type __rd_law_columns(T &&array);

// An input: of so many elements, whatever it lies in.
template <class T>
RD_LAW const typename std::remove_all_extents<T>::type *__rd_law_data(const T *cells)
{
    return (const typename std::remove_all_extents<T>::type *)cells;
}
template <class T> RD_LAW auto __rd_law_data(const T &array) -> decltype(array.data())
{
    return array.data();
}
template <class T, class N>
RD_LAW RD_LAW_IF(__rd_law_seen<T>::kind == __rd_law_fits) __rd_law_input(const T &array, N size)
{
    if (size <= 0)
        rd_sim_law_lack("the input has no element");
    else if (std::is_array<T>::value &&
             (unsigned long long)size > sizeof array / sizeof *__rd_law_data(array))
        rd_sim_law_lack("the input is said to have more elements than the array has");
    else {
        rd_sim_law_input(__rd_law_data(array), (size_t)size * sizeof *__rd_law_data(array));
        __rd_law_take(__rd_law_data(array), (size_t)size);
    }
}
// An array whose size is known when the program runs, too: nvcc takes it for no T.
template <class T, class N>
RD_LAW RD_LAW_IF(__rd_law_seen<T *>::kind == __rd_law_fits) __rd_law_input(const T *cells, N size)
{
    __rd_law_input<const T *, N>(cells, size);
}
template <class T, class N>
RD_LAW_NO_ELEMENT RD_LAW_IF(__rd_law_seen<T>::kind == __rd_law_no_element)
    __rd_law_input(const T &array, N size);
template <class T, class N>
RD_LAW_NO_ELEMENT RD_LAW_IF(__rd_law_seen<T *>::kind == __rd_law_no_element)
    __rd_law_input(const T *cells, N size);
template <class T, class N>
RD_LAW_MISTAKE("an input is an array, and this is none")
RD_LAW_IF(__rd_law_seen<T>::kind == __rd_law_no_array) __rd_law_input(const T &array, N size);

// Of so many rows and columns: an array of arrays, or what lies row by row.
template <class T, class N, class M> RD_LAW void __rd_law_input(const T &array, N rows, M columns)
{
    if (rows <= 0 || columns <= 0)
        rd_sim_law_lack("the input has no element");
    else if (std::rank<T>::value > 1 && (unsigned long long)columns != std::extent<T, 1>::value)
        rd_sim_law_lack("the input is said to have other columns than the array has");
    else
        __rd_law_input(array, (size_t)rows * (size_t)columns);
}
template <class T, class N, class M> RD_LAW void __rd_law_input(const T *cells, N rows, M columns)
{
    __rd_law_input<const T *, N, M>(cells, rows, columns);
}

// ---- loops ----

// An execution of a loop.
struct __rd_law_loop {
    unsigned long long instance, evaluation;
    bool entered;
    __attribute__((no_sanitize("thread"))) __rd_law_loop(unsigned site)
        : instance(rd_sim_law_enter(site)), evaluation(0), entered(false)
    {
    }
    __attribute__((no_sanitize("thread"))) bool enter()
    {
        const bool first = !entered;
        entered = true;
        return first;
    }
    __attribute__((no_sanitize("thread"))) void begin(unsigned site)
    {
        rd_sim_law_begin(site, instance, evaluation);
    }
    __attribute__((no_sanitize("thread"))) void end()
    {
        evaluation++;
    }
};

#endif
