// SPDX-License-Identifier: MIT
// Kernels that kernels launch, and what the simulator does not know.
#ifndef RD_LAUNCH_HPP
#define RD_LAUNCH_HPP

#include "reductio_launch.h"

#include <tuple>

// Ends the run where the program comes to it. Where the line is one of these headers, that of the call is told.
[[noreturn]] RD_BARE inline void rd_unsimulated(const char *what, unsigned line = __builtin_LINE(),
                                                const char *file = __builtin_FILE())
{
    rd_sim_unsimulated(what, file, line, __builtin_return_address(0));
    __builtin_abort();
}
// "return rd_return(first, from);" for "return;" in a kernel.
RD_INLINE void rd_return(unsigned first, unsigned from, RD_HERE)
{
    rd_sim_return(rd_file, rd_line, first, from);
}
// A launch in a function that is not marked as the device's: where a kernel comes to it, it is all the
// same.
RD_INLINE void rd_host(RD_HERE)
{
    if (rd_sim_is_on_device())
        rd_unsimulated("a launch in a function that has neither __global__ nor __device__ in "
                       "front of it",
                       rd_line, rd_file);
}

// "{ if (rd_on_device()) {...} else {...} }" for what a function of both is to the device and to the host.
RD_INLINE bool rd_on_device()
{
    return rd_sim_is_on_device();
}

template <class T> RD_BARE const void *rd_pointer_in(const T &)
{
    return nullptr;
}
template <class T> RD_BARE const void *rd_pointer_in(T *const &pointer)
{
    return (const void *)pointer;
}

// The name of a function as the user has it: "main" of "main$". The size stays that of the text.
template <size_t size> RD_UNSEEN const char (&rd_plain_name(const char (&text)[size]))[size]
{
    struct known {
        const char *from;
        char plain[size];
        known *next;
    };
    static known *all = nullptr;
    for (known *it = all; it; it = it->next)
        if (it->from == text)
            return it->plain;
    known *made = new known{text, {}, all};
    char *to = made->plain;
    for (const char c : text)
        if (c != '$')
            *to++ = c;
    all = made;
    return made->plain;
}
template <size_t size>
RD_UNSEEN constexpr const char (&rd_function_name(const char (&text)[size]))[size]
{
    for (const char c : text)
        if (c == '$')
            return rd_plain_name(text);
    return text;
}

// What a macro makes of its argument by "#": of "__RD_LAUNCH( k)( 1, 2) (x)" it is "k<<<1, 2>>>(x)", as it stands in the user's file.
RD_UNSEEN inline size_t rd_bracket_length(const char *text)
{
    size_t length = 0;
    for (int depth = 0; text[length]; length++) {
        depth += (text[length] == '(') - (text[length] == ')');
        if (depth == 0)
            break;
    }
    return length;
}
RD_UNSEEN inline const char *rd_said(const char *text)
{
    static const char mark[] = "__RD_LAUNCH(";
    static const char *known[64][2];
    unsigned k = 0;
    if (!strstr(text, mark))
        return text;
    while (k < 64 && known[k][0] && known[k][0] != text)
        k++;
    if (k < 64 && known[k][0])
        return known[k][1];
    char *made = (char *)::malloc(strlen(text) + 1), *to = made;
    if (!made)
        return text;
    for (const char *at = text; *at;) {
        if (strncmp(at, mark, sizeof mark - 1) != 0) {
            *to++ = *at++;
            continue;
        }
        const char *open = at + sizeof mark - 2, *close = open + rd_bracket_length(open);
        const char *shape = *close ? close + 1 : close;
        const char *end = *shape == '(' ? shape + rd_bracket_length(shape) : shape;
        if (!*close || *shape != '(' || !*end) {
            *to++ = *at++;
            continue;
        }
        const char *const parts[][2] = {{open, close}, {shape, end}};
        for (int part = 0; part < 2; part++) {
            const char *from = parts[part][0] + 1 + (parts[part][0][1] == ' ');
            memcpy(to, from, (size_t)(parts[part][1] - from));
            to += parts[part][1] - from;
            memcpy(to, part == 0 ? "<<<" : ">>>", 3);
            to += 3;
        }
        at = end + 1 + (end[1] == ' ');
    }
    *to = '\0';
    if (k < 64) {
        known[k][0] = text;
        known[k][1] = made;
    }
    return made;
}

// printf(), of which a kernel's is looked at first, and gives the number of its arguments ("Formatted Output" in CUDA's
// programming guide).
template <class T> struct rd_printed {
    static constexpr char kind =
        std::is_floating_point<T>::value                                         ? 'f'
        : std::is_pointer<T>::value || std::is_same<T, decltype(nullptr)>::value ? 'p'
                                                                                 : 'i';
};
template <class... A> RD_BARE int rd_printf(const char *format, A... arguments)
{
    if (rd_sim_is_on_device()) {
        const char kinds[] = {rd_printed<A>::kind..., 0};
        const void *const pointers[] = {rd_pointer_in(arguments)..., nullptr};
        if (!rd_sim_printf(format, kinds, pointers, sizeof...(A), RD_HERE_PC))
            return -1;
        char text[256] = "";
        snprintf(text, sizeof text, format, arguments...);
        rd_sim_printed(text);
        rd_sim_printf_made(RD_HERE_PC, format, arguments...);
        return (int)sizeof...(A);
    }
    return rd_sim_printf_made(RD_HERE_PC, format, arguments...);
}

// "rd_drops(), cudaFree(p);" for "cudaFree(p);" in the host's code.
RD_INLINE void rd_drops()
{
    rd_sim_drops();
}

// A whole number that may stand for a null pointer, too, as the literal 0 does.
template <class T> struct rd_integer {
    T value;
    operator T() const
    {
        return value;
    }
    template <class U> operator U *() const
    {
        return nullptr;
    }
};
template <class F, class... A>
auto rd_takes(int) -> decltype(std::declval<const F &>()(std::declval<A>()...), std::true_type());
template <class F, class... A> std::false_type rd_takes(...);
template <class T, bool as_it_is> struct rd_passed {
    using type =
        typename std::conditional<!as_it_is && std::is_integral<T>::value, rd_integer<T>, T>::type;
};

// An argument of a class that has a copy constructor or a destructor of its own: a kernel's parameter is a copy of its bytes, and
// neither runs on the device. What a function returns of such a class it makes where its caller says, by the calling convention
// of x86-64.
template <class T>
struct rd_is_bytes : std::integral_constant<bool, std::is_trivially_copy_constructible<T>::value &&
                                                      std::is_trivially_destructible<T>::value> {
};
template <size_t size_bytes> RD_BARE void *rd_copy_argument(void *to, const void *from)
{
    for (size_t k = 0; k < size_bytes; k++)
        ((volatile char *)to)[k] = ((const volatile char *)from)[k];
    return to;
}
template <class T>
RD_INLINE typename std::enable_if<rd_is_bytes<T>::value, T>::type rd_pass(T &from)
{
    return from;
}
#ifdef __x86_64__
template <class T>
RD_INLINE typename std::enable_if<!rd_is_bytes<T>::value, T>::type rd_pass(T &from)
{
    return ((T(*)(const void *))(void (*)(void))rd_copy_argument<sizeof(T)>)(&from);
}
template <class... A> RD_INLINE void rd_end_of(const A &...)
{
    constexpr bool are_bytes =
        std::is_same<std::integer_sequence<bool, true, rd_is_bytes<A>::value...>,
                     std::integer_sequence<bool, rd_is_bytes<A>::value..., true>>::value;
    if (!are_bytes) // or their destructors would run
        rd_sim_end();
}
#else
template <class T>
RD_INLINE typename std::enable_if<!rd_is_bytes<T>::value, T &>::type rd_pass(T &from)
{
    return from;
}
template <class... A> RD_INLINE void rd_end_of(const A &...)
{
}
#endif
// A kernel with its arguments. Each thread takes a copy of its own, on its stack.
template <class F, class... A> struct rd_closure {
    F kernel;
    std::tuple<A...> arguments;

    template <size_t... I> RD_BARE void call(std::index_sequence<I...>)
    {
        kernel(rd_pass(std::get<I>(arguments))...);
    }
    RD_BARE static void thread(void *const *closure)
    {
        typedef unsigned long long __attribute__((may_alias)) word;
        constexpr size_t words = sizeof(rd_closure) / sizeof(word);
        alignas(rd_closure) alignas(word) volatile char copy[sizeof(rd_closure)];
        for (size_t k = 0; k < words; k++)
            ((volatile word *)copy)[k] = ((const volatile word *)closure)[k];
        for (size_t k = words * sizeof(word); k < sizeof copy; k++)
            copy[k] = ((const volatile char *)closure)[k];
        ((rd_closure *)copy)->call(std::make_index_sequence<sizeof...(A)>());
    }
};

// `called` is a plain call of the kernel: where its parameters are others, the compiler says what is wrong with that one.
template <class F, class G = F> struct rd_configured {
    F kernel;
    G called;
    struct rd_sim_launch launch;

    template <class... A> RD_BARE void operator()(A... arguments)
    {
        using as_it_is = decltype(rd_takes<F, A...>(0));
        using fits = decltype(rd_takes<F, typename rd_passed<A, as_it_is::value>::type...>(0));
        start(fits(), arguments...);
    }
    template <class... A> void start(std::false_type, A &...arguments)
    {
        called(arguments...);
    }
    template <class... A> RD_BARE void start(std::true_type, A &...arguments)
    {
        using as_it_is = decltype(rd_takes<F, A...>(0));
        using closure_type = rd_closure<F, typename rd_passed<A, as_it_is::value>::type...>;
        const void *const pointers[] = {rd_pointer_in(arguments)..., nullptr};
        static const rd_check_parameter parameters[] = {rd_parameter_of<A>::value...,
                                                        {0, 0, 0, 0, nullptr}};
        closure_type closure = {
            kernel, std::tuple<typename rd_passed<A, as_it_is::value>::type...>({arguments}...)};
        launch.thread = closure_type::thread;
        launch.closure = &closure;
        launch.closure_bytes = sizeof closure;
        launch.pointers = pointers;
        launch.n_pointers = sizeof...(A);
        launch.parameters = (const struct rd_file_parameter *)parameters;
        rd_sim_launch(&launch);
    }
};
template <class F, class G = F> struct rd_launcher {
    F kernel;
    G called;
    const char *name, *file;
    unsigned line;

    RD_BARE rd_configured<F, G> operator()(dim3 grid, dim3 block, size_t shared_bytes = 0,
                                           cudaStream_t stream = 0)
    {
        return {kernel,
                called,
                {name,
                 file,
                 line,
                 {grid.x, grid.y, grid.z},
                 {block.x, block.y, block.z},
                 shared_bytes,
                 (const void *)stream}};
    }
};
template <class F, class G>
RD_BARE rd_launcher<F, G> rd_launch(F kernel, G called, const char *name, RD_HERE)
{
    return {kernel, called, name, rd_file, rd_line};
}
// k<<<g, b>>>(x) is RD_LAUNCH(k)(g, b)(x).
#define RD_LAUNCH(...)                                                                             \
    rd_launch(                                                                                     \
        [=](auto... rd_a) -> decltype((void)(__VA_ARGS__(rd_pass(rd_a)...))) {                     \
            __VA_ARGS__(rd_pass(rd_a)...), rd_end_of(rd_a...);                                     \
        },                                                                                         \
        [=](auto... rd_a) { __VA_ARGS__(rd_a...); }, #__VA_ARGS__)

#endif
