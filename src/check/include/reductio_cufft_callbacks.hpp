// SPDX-License-Identifier: MIT
// cuFFT's callbacks: a user's functions of the device that load each element of a transform's input, and that store each of its output,
// once, in no order. Here, all are loaded by one launch into memory of its own, then transformed, and stored by another: what the
// functions access is seen as any kernel's accesses are.
#ifndef RD_CUFFT_CALLBACKS_HPP
#define RD_CUFFT_CALLBACKS_HPP

#include "thrust/system.hpp"

#include <map>

struct rd_fft_callback {
    void *function = nullptr, *info = nullptr;
    bool is_double = false, is_real = false;
    size_t shared_bytes = 0;
};
struct rd_fft_callbacks {
    rd_fft_callback load, store;
};
// Of a plan, whichever file sets them.
inline rd_fft_callbacks &rd_fft_callbacks_of(cufftHandle plan)
{
    static std::map<cufftHandle, rd_fft_callbacks> all;
    return all[plan];
}

// The place of the kth element: what a callback is told.
RD_UNSEEN inline size_t rd_fft_offset(const rd_cufft_elements &all, size_t k)
{
    const size_t n[] = {(size_t)all.n[0], (size_t)all.n[1], (size_t)all.n[2]};
    const size_t row = k / n[2], plane = row / n[1];
    const long long x[] = {(long long)(plane % n[0]), (long long)(row % n[1]),
                           (long long)(k % n[2])};
    return (size_t)((long long)(plane / n[0]) * all.dist +
                    ((x[0] * all.embed[1] + x[1]) * all.embed[2] + x[2]) * all.stride);
}
inline size_t rd_fft_count(const rd_cufft_elements &all)
{
    return (size_t)(all.n[0] * all.n[1] * all.n[2] * all.batch);
}

// What a callback gets of shared memory: nothing, unless it was asked for.
RD_UNSEEN inline void *rd_fft_shared(size_t bytes)
{
    extern __shared__ char rd_fft_dynamic[];
    return bytes > 0 ? rd_fft_dynamic : nullptr;
}
// Calls body(element's number, shared memory) for each element, by a launch.
template <class F>
inline void rd_fft_each(const rd_library_site &site, const rd_cufft_stages *call,
                        const rd_cufft_elements &elements, const rd_fft_callback &callback, F body)
{
    const size_t n = rd_fft_count(elements), bytes = callback.shared_bytes;
    rd_library_launch(
        site, n, (cudaStream_t)call->stream,
        [=]() {
            const size_t k = rd_thread_number();
            if (k < n)
                body(k, rd_fft_shared(bytes));
        },
        false, bytes);
}
// Memory for all elements of one side, in the order of the stream.
template <class T> struct rd_fft_memory {
    T *at = nullptr;
    const cudaStream_t stream;
    rd_fft_memory(const rd_cufft_elements &elements, const void *stream_)
        : stream((cudaStream_t)stream_)
    {
        if (cudaMallocAsync((void **)&at, rd_fft_count(elements) * sizeof(T), stream) !=
            cudaSuccess)
            at = nullptr;
    }
    rd_fft_memory(const rd_fft_memory &) = delete;
    ~rd_fft_memory()
    {
        if (at)
            (void)cudaFreeAsync((void *)at, stream);
    }
};

inline cufftResult rd_fft_transform(const rd_cufft_stages *call, const void *in, void *out)
{
    return (cufftResult)call->transform(call, in, out);
}
template <class T>
inline cufftResult rd_fft_store(const rd_cufft_stages *call, const rd_library_site &site,
                                const rd_fft_callback &callback, const void *in)
{
    typedef void (*function)(void *, size_t, T, void *, void *);
    const rd_cufft_elements elements = call->out_elements;
    const rd_fft_memory<T> memory(elements, call->stream);
    if (!memory.at)
        return CUFFT_EXEC_FAILED;
    const cufftResult result = rd_fft_transform(call, in, memory.at);
    const function store = (function)callback.function;
    const T *const from = memory.at;
    void *const to = call->out, *const info = callback.info;
    if (result == CUFFT_SUCCESS)
        rd_fft_each(site, call, elements, callback, [=](size_t k, void *shared) {
            store(to, rd_fft_offset(elements, k), from[k], info, shared);
        });
    return result;
}
// With the input as it is, or with what was loaded of it.
inline cufftResult rd_fft_go_on(const rd_cufft_stages *call, const rd_library_site &site,
                                const rd_fft_callback &store, const void *in)
{
    if (!store.function)
        return rd_fft_transform(call, in, nullptr);
    if (store.is_real)
        return store.is_double ? rd_fft_store<cufftDoubleReal>(call, site, store, in)
                               : rd_fft_store<cufftReal>(call, site, store, in);
    return store.is_double ? rd_fft_store<cufftDoubleComplex>(call, site, store, in)
                           : rd_fft_store<cufftComplex>(call, site, store, in);
}
template <class T>
inline cufftResult rd_fft_load(const rd_cufft_stages *call, const rd_library_site &site,
                               const rd_fft_callbacks &callbacks)
{
    typedef T (*function)(void *, size_t, void *, void *);
    const rd_cufft_elements elements = call->in_elements;
    const rd_fft_memory<T> memory(elements, call->stream);
    if (!memory.at)
        return CUFFT_EXEC_FAILED;
    const function load = (function)callbacks.load.function;
    T *const to = memory.at;
    void *const from = (void *)call->in, *const info = callbacks.load.info;
    rd_fft_each(site, call, elements, callbacks.load, [=](size_t k, void *shared) {
        to[k] = load(from, rd_fft_offset(elements, k), info, shared);
    });
    return rd_fft_go_on(call, site, callbacks.store, memory.at);
}
inline int rd_fft_run_stages(const rd_cufft_stages *call)
{
    const rd_fft_callbacks callbacks = rd_fft_callbacks_of(call->plan);
    const rd_fft_callback &load = callbacks.load;
    const rd_library_site site = rd_library_called(call->name, call->pc);
    if (!load.function)
        return rd_fft_go_on(call, site, callbacks.store, nullptr);
    if (load.is_real)
        return load.is_double ? rd_fft_load<cufftDoubleReal>(call, site, callbacks)
                              : rd_fft_load<cufftReal>(call, site, callbacks);
    return load.is_double ? rd_fft_load<cufftDoubleComplex>(call, site, callbacks)
                          : rd_fft_load<cufftComplex>(call, site, callbacks);
}

// That of a plan for this type; NULL, with a result: there is none.
inline rd_fft_callback *rd_fft_callback_for(cufftHandle plan, cufftXtCallbackType type,
                                            cufftResult *result)
{
    long long n[3];
    int of = 0, gpus[16], n_gpus = 0;
    *result = CUFFT_INVALID_PLAN;
    if (rd_sim_cuda_fft_shape(plan, n, &of, gpus, &n_gpus) <= 0)
        return nullptr;
    const bool is_store = type >= CUFFT_CB_ST_COMPLEX, is_real = type & 2, is_double = type & 1;
    const bool of_real = of == CUFFT_R2C || of == CUFFT_D2Z,
               to_real = of == CUFFT_C2R || of == CUFFT_Z2D,
               of_double = of == CUFFT_Z2Z || of == CUFFT_D2Z || of == CUFFT_Z2D;
    *result = CUFFT_INVALID_TYPE;
    if ((unsigned)type >= CUFFT_CB_UNDEFINED || is_double != of_double ||
        is_real != (is_store ? to_real : of_real))
        return nullptr;
    if (n_gpus > 1)
        rd_unsimulated("callbacks of a transform on several GPUs");
    *result = CUFFT_SUCCESS;
    rd_fft_callbacks &both = rd_fft_callbacks_of(plan);
    rd_fft_callback *const it = is_store ? &both.store : &both.load;
    it->is_double = is_double;
    it->is_real = is_real;
    return it;
}
inline void rd_fft_callbacks_changed(cufftHandle plan)
{
    const rd_fft_callbacks &both = rd_fft_callbacks_of(plan);
    rd_sim_cuda_fft_stages(plan,
                           both.load.function || both.store.function ? rd_fft_run_stages : nullptr);
}

extern "C" {
RD_BARE inline cufftResult cufftXtSetCallback(cufftHandle plan, void **functions,
                                              cufftXtCallbackType type, void **infos)
{
    cufftResult result;
    rd_fft_callback *const it = rd_fft_callback_for(plan, type, &result);
    if (!it)
        return result;
    if (!functions || !functions[0])
        return CUFFT_INVALID_VALUE;
    it->function = functions[0];
    it->info = infos ? infos[0] : nullptr;
    rd_fft_callbacks_changed(plan);
    return CUFFT_SUCCESS;
}
RD_BARE inline cufftResult cufftXtClearCallback(cufftHandle plan, cufftXtCallbackType type)
{
    cufftResult result;
    rd_fft_callback *const it = rd_fft_callback_for(plan, type, &result);
    if (!it)
        return result;
    it->function = it->info = nullptr;
    rd_fft_callbacks_changed(plan);
    return CUFFT_SUCCESS;
}
RD_BARE inline cufftResult cufftXtSetCallbackSharedSize(cufftHandle plan, cufftXtCallbackType type,
                                                        size_t bytes)
{
    enum { BYTES_MAX = 16 * 1024 };
    cufftResult result;
    rd_fft_callback *const it = rd_fft_callback_for(plan, type, &result);
    if (!it)
        return result;
    if (bytes > BYTES_MAX)
        return CUFFT_ALLOC_FAILED;
    it->shared_bytes = bytes;
    return CUFFT_SUCCESS;
}
} // extern "C"

#endif
