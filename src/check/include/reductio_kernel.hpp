// SPDX-License-Identifier: MIT
// Answers `reductio check` about the kernel, whose types only the compiler knows.
#ifndef RD_KERNEL_HPP
#define RD_KERNEL_HPP

struct rd_check_parameter {
    char
        kind; // p pointer, i signed, u unsigned, f floating, b boolean, h __half, n __nv_bfloat16, s anything else
    char pointee_kind; // of a pointer: these, and v void
    unsigned size, pointee_size;
    // Bytes of a struct that is pointed to, 0 where it has padding; null where that is unknown.
    const unsigned char *bytes;
};
// The bytes of a T without its padding.
template <class T, bool = std::is_trivially_copyable<T>::value && !std::is_volatile<T>::value>
struct rd_bytes_of {
    static const unsigned char *get()
    {
        return nullptr;
    }
};
#if defined __has_builtin && !defined __clang__
#if __has_builtin(__builtin_clear_padding)
#define RD_CLEARS_PADDING
#endif
#endif
#ifdef RD_CLEARS_PADDING
template <class T> struct rd_bytes_of<T, true> {
    RD_UNSEEN static const unsigned char *get()
    {
        static unsigned char bytes[sizeof(T)];
        for (unsigned char &byte : bytes)
            byte = 0xff;
        __builtin_clear_padding((T *)bytes);
        return bytes;
    }
};
#endif
// "rd_made(new T(x))" for "new T(x)".
#if defined __SANITIZE_THREAD__ && !defined __clang__
template <class T, bool = (std::is_class<T>::value || std::is_union<T>::value) &&
                          std::is_trivially_copyable<T>::value>
struct rd_maker {
    static inline __attribute__((always_inline)) void tell(const T *)
    {
    }
};
template <class T> struct rd_maker<T, true> {
    static inline __attribute__((always_inline)) void tell(const T *object)
    {
        rd_sim_made((void *)object, sizeof(T), rd_bytes_of<T>::get(), __is_aggregate(T));
    }
};
template <class T> RD_INLINE T *rd_made(T *object)
{
    if (object)
        rd_maker<T>::tell(object);
    return object;
}
#else
template <class T> RD_INLINE T *rd_made(T *object)
{
    return object;
}
#endif

typedef rd_check_parameter rd_parameter;
// The kind of a struct that has one of its own; 's' of all others.
template <class T> struct rd_struct {
    static constexpr char kind = 's';
};
template <class T> struct rd_parameter_of {
    static constexpr char kind = std::is_same<T, bool>::value       ? 'b'
                                 : std::is_floating_point<T>::value ? 'f'
                                 : std::is_enum<T>::value           ? 'i'
                                 : !std::is_integral<T>::value      ? rd_struct<T>::kind
                                 : std::is_signed<T>::value         ? 'i'
                                                                    : 'u';
    static constexpr rd_check_parameter value = {kind, 0, sizeof(T), 0, nullptr};
};
template <class T> struct rd_size_of {
    static constexpr unsigned value = sizeof(T);
};
template <> struct rd_size_of<void> {
    static constexpr unsigned value = 0;
};
// The underlying type of an enumeration.
template <class T, bool = std::is_enum<T>::value> struct rd_plain {
    using type = T;
};
template <class T> struct rd_plain<T, true> {
    using type = typename std::underlying_type<T>::type;
};
template <class T> struct rd_parameter_of<T *> {
    using U = typename rd_plain<typename std::remove_cv<T>::type>::type;
    static constexpr char kind = std::is_void<U>::value             ? 'v'
                                 : std::is_same<U, bool>::value     ? 'b'
                                 : std::is_pointer<U>::value        ? 'p'
                                 : rd_size_of<U>::value > 8         ? 's'
                                 : std::is_floating_point<U>::value ? 'f'
                                 : !std::is_integral<U>::value      ? rd_struct<U>::kind
                                 : std::is_signed<U>::value         ? 'i'
                                                                    : 'u';
    static constexpr rd_check_parameter value = {'p', kind, sizeof(T *), rd_size_of<U>::value,
                                                 nullptr};
};

template <class T> struct rd_pointee {
    static const unsigned char *bytes()
    {
        return nullptr;
    }
};
template <class T> struct rd_pointee<T *> {
    using U = typename std::remove_cv<T>::type;
    static const unsigned char *bytes()
    {
        return rd_bytes_of<
            typename std::conditional<std::is_class<U>::value, U, char>::type>::get();
    }
};
template <class... P> unsigned rd_describe(void (*)(P...), const rd_check_parameter **parameters)
{
    static rd_check_parameter list[] = {rd_parameter_of<P>::value..., {0, 0, 0, 0, nullptr}};
    const unsigned char *const bytes[] = {rd_pointee<P>::bytes()..., nullptr};
    for (size_t k = 0; k < sizeof...(P); k++)
        list[k].bytes = bytes[k];
    *parameters = list;
    return sizeof...(P);
}
template <size_t... I, class... P>
RD_UNSEEN void rd_call(void (*kernel)(P...), void *const *arguments, std::index_sequence<I...>)
{
    kernel(rd_untold<typename std::remove_const<P>::type>(arguments[I]).value...);
}
template <class... P> RD_UNSEEN void rd_call_all(void (*kernel)(P...), void *const *arguments)
{
    rd_call(kernel, arguments, std::make_index_sequence<sizeof...(P)>());
}

// The main function of a program, as the file declares it.
RD_UNSEEN inline int rd_run_main(int (*main)(), int, char **)
{
    return main();
}
RD_UNSEEN inline int rd_run_main(void (*main)(), int, char **)
{
    main();
    return 0;
}
template <class T> RD_UNSEEN int rd_run_main(int (*main)(int, T), int argc, char **argv)
{
    return main(argc, (T)argv);
}
template <class T> RD_UNSEEN int rd_run_main(void (*main)(int, T), int argc, char **argv)
{
    main(argc, (T)argv);
    return 0;
}
// Of the C library, whose <unistd.h> would declare much else that a file may declare for itself.
extern "C" char **environ;
template <class T, class E> RD_UNSEEN int rd_run_main(int (*main)(int, T, E), int argc, char **argv)
{
    return main(argc, (T)argv, (E)environ);
}

// Symbols that the loader asks for, by names that the file may have for itself.
#define RD_SEEN(name) __asm__(name) __attribute__((visibility("default")))
extern "C" {
// Number of launches of the kernel in the file, and of launches in its kernels.
extern const unsigned rd_launches RD_SEEN("rd_check_launches");
extern const unsigned rd_launches_inside RD_SEEN("rd_check_launches_inside");
// Not 0: its returns call rd_return.
extern const unsigned rd_tells_returns RD_SEEN("rd_check_tells_returns");
// The variables that the host's code sets, a line each: NAME@FILE:LINE.
extern const char *const rd_host_sets RD_SEEN("rd_check_host_sets");
void rd_thread(void *const *arguments) RD_SEEN("rd_check_thread");
unsigned rd_describe_kernel(const rd_parameter **parameters, void **address)
    RD_SEEN("rd_check_describe");
int rd_main(int argc, char **argv) RD_SEEN("rd_check_main");
}

#define RD_CHECK_MAIN(returns, name)                                                               \
    const unsigned rd_tells_returns = returns;                                                     \
    RD_UNSEEN int rd_main(int argc, char **argv)                                                   \
    {                                                                                              \
        return rd_run_main(&name, argc, argv);                                                     \
    }

#define RD_CHECK_HOST_SETS(sets) const char *const rd_host_sets = sets;
#define RD_CHECK_KERNEL(of_it, inside, returns, ...)                                               \
    const unsigned rd_launches = of_it, rd_launches_inside = inside, rd_tells_returns = returns;   \
    __attribute__((no_sanitize("thread"))) void rd_thread(void *const *arguments)                  \
    {                                                                                              \
        rd_call_all(&__VA_ARGS__, arguments);                                                      \
    }                                                                                              \
    unsigned rd_describe_kernel(const rd_parameter **parameters, void **address)                   \
    {                                                                                              \
        *address = (void *)&__VA_ARGS__;                                                           \
        return rd_describe(&__VA_ARGS__, parameters);                                              \
    }

// Describes one of the kernels that are listed.
#define RD_CHECK_LISTED(number, ...)                                                               \
    extern "C" unsigned rd_listed##number(const rd_parameter **parameters)                         \
        RD_SEEN("rd_check_listed" #number);                                                        \
    unsigned rd_listed##number(const rd_parameter **parameters)                                    \
    {                                                                                              \
        return rd_describe(&__VA_ARGS__, parameters);                                              \
    }

// Several launches in turn, by a thread of its own: each grid sees what those before it have written.
#define RD_STEPS_MAX 64
template <class... P> struct rd_step_of {
    void (*kernel)(P...);
    void *const *arguments;
    RD_UNSEEN static void thread(void *const *closure)
    {
        const rd_step_of *step = (const rd_step_of *)closure;
        rd_call_all(step->kernel, step->arguments);
    }
};
struct rd_steps {
    rd_check_parameter list[RD_STEPS_MAX + 1];
    void *kernels[RD_STEPS_MAX];
    unsigned of[RD_STEPS_MAX], first[RD_STEPS_MAX], n, n_parameters;
};
template <class... P> RD_UNSEEN void rd_add_step(rd_steps &steps, void (*kernel)(P...))
{
    const rd_check_parameter *own;
    unsigned n = rd_describe(kernel, &own);
    steps.first[steps.n] = steps.n_parameters;
    for (unsigned k = 0; k < n && steps.n_parameters < RD_STEPS_MAX; k++) {
        steps.of[steps.n_parameters] = steps.n;
        steps.list[steps.n_parameters++] = own[k];
    }
    steps.kernels[steps.n++] = (void *)kernel;
}
template <class... P>
RD_UNSEEN void rd_launch_step(void (*kernel)(P...), struct rd_sim_launch launch, unsigned first,
                              void *const *arguments)
{
    const rd_step_of<P...> closure = {kernel, arguments + first};
    launch.thread = rd_step_of<P...>::thread;
    launch.closure = &closure;
    launch.closure_bytes = sizeof closure;
    launch.cooperative = 1;
    rd_sim_launch(&launch);
}
extern "C" {
// The kernel that a parameter is of, and its number there.
void *rd_step_parameter(unsigned number, unsigned *own) RD_SEEN("rd_check_step_parameter");
// The first parameter of a launch's kernel; of the one behind the last, their number.
unsigned rd_step_first(unsigned step) RD_SEEN("rd_check_step_first");
// The kernel of a launch; null behind the last.
void *rd_step_kernel(unsigned step) RD_SEEN("rd_check_step_kernel");
}
#define RD_CHECK_STEPS_BEGIN(returns)                                                              \
    const unsigned rd_launches = 0, rd_launches_inside = 1, rd_tells_returns = returns;            \
    static rd_steps rd_all_steps;
#define RD_CHECK_STEP(number, name, line, gx, gy, gz, bx, by, bz, shared, ...)                     \
    static void rd_describe_step##number()                                                         \
    {                                                                                              \
        rd_add_step(rd_all_steps, &__VA_ARGS__);                                                   \
    }                                                                                              \
    __attribute__((no_sanitize("thread"))) static void rd_step##number(void *const *arguments)     \
    {                                                                                              \
        rd_launch_step(&__VA_ARGS__, {name, "--launch", line, {gx, gy, gz}, {bx, by, bz}, shared}, \
                       rd_all_steps.first[number], arguments);                                     \
    }
#define RD_CHECK_STEPS_END(describe, launch)                                                       \
    __attribute__((no_sanitize("thread"))) void rd_thread(void *const *arguments)                  \
    {                                                                                              \
        launch                                                                                     \
    }                                                                                              \
    unsigned rd_describe_kernel(const rd_parameter **parameters, void **address)                   \
    {                                                                                              \
        rd_all_steps.n = rd_all_steps.n_parameters = 0;                                            \
        describe *parameters = rd_all_steps.list;                                                  \
        *address = rd_all_steps.kernels[0];                                                        \
        return rd_all_steps.n_parameters;                                                          \
    }                                                                                              \
    void *rd_step_parameter(unsigned number, unsigned *own)                                        \
    {                                                                                              \
        unsigned step = rd_all_steps.of[number];                                                   \
        *own = number - rd_all_steps.first[step];                                                  \
        return rd_all_steps.kernels[step];                                                         \
    }                                                                                              \
    unsigned rd_step_first(unsigned step)                                                          \
    {                                                                                              \
        return step < rd_all_steps.n ? rd_all_steps.first[step] : rd_all_steps.n_parameters;       \
    }                                                                                              \
    void *rd_step_kernel(unsigned step)                                                            \
    {                                                                                              \
        return step < rd_all_steps.n ? rd_all_steps.kernels[step] : nullptr;                       \
    }

#endif
