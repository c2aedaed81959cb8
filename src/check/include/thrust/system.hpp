// SPDX-License-Identifier: MIT
// Where Thrust's algorithms run: each is a launch of its own, of a thread an element where elements are independent, else of
// one thread, or a plain loop on the host. What they access is seen as any kernel's accesses are.
#ifndef RD_THRUST_SYSTEM_HPP
#define RD_THRUST_SYSTEM_HPP

#include "reductio_cuda.hpp"

#include <algorithm>
#include <iterator>
#include <memory>
#include <string>
#include <system_error>
#include <tuple>
#include <vector>

// A part of an algorithm, as a kernel of its own: of so many threads, or of one that makes what many would.
struct rd_library_site {
    const char *name, *file;
    unsigned line;
};
RD_INLINE rd_library_site rd_library_called(const char *name, const void *pc)
{
    unsigned line = 0;
    const char *file = rd_sim_caller(pc, &line);
    return {name, file, line};
}
template <class F>
RD_UNSEEN void rd_library_launch(const rd_library_site &site, size_t n, cudaStream_t stream, F body,
                                 bool is_serial = false, size_t shared_bytes = 0)
{
    const size_t block = n < 256 ? n : 256;
    if (n == 0)
        return;
    rd_configured<F> configured = rd_launcher<F>{body, body, site.name, site.file, site.line}(
        dim3((unsigned)((n + block - 1) / block)), dim3((unsigned)block), shared_bytes, stream);
    configured.launch.of_library = 1;
    configured.launch.is_serial = is_serial;
    configured();
}
template <class F>
RD_UNSEEN void rd_library_launch_serial(const rd_library_site &site, cudaStream_t stream, F body)
{
    rd_library_launch(site, 1, stream, body, true);
}
// A user's function that one thread calls for many: a call of it may take no longer than a thread of the device's own.
template <class F> struct rd_called {
    F own;
    template <class... A> decltype(auto) operator()(A &&...a)
    {
        const struct call {
            RD_UNSEEN call()
            {
                rd_sim_launch_calls(1);
            }
            RD_UNSEEN ~call()
            {
                rd_sim_launch_calls(0);
            }
        } now;
        return own(std::forward<A>(a)...);
    }
};
RD_INLINE size_t rd_thread_number()
{
    return (size_t)blockIdx.x * blockDim.x + threadIdx.x;
}

namespace thrust
{
using std::error_category;
using std::error_code;
struct system_error : std::system_error {
    using std::system_error::system_error;
};
struct rd_cuda_category : error_category {
    const char *name() const noexcept override
    {
        return "cuda";
    }
    std::string message(int error) const override
    {
        return std::string(cudaGetErrorName((cudaError_t)error)) + ": " +
               cudaGetErrorString((cudaError_t)error);
    }
};
RD_UNSEEN inline const error_category &cuda_category()
{
    static const rd_cuda_category category;
    return category;
}
namespace system
{
using thrust::cuda_category;
using thrust::error_category;
using thrust::error_code;
using thrust::system_error;
} // namespace system

// ---- policies ----

enum rd_system { rd_any, rd_host, rd_device };
struct rd_policy {
    rd_system where;
    cudaStream_t stream;
    template <class T> rd_policy on(T *stream_) const
    {
        return {where, (cudaStream_t)stream_};
    }
    rd_policy on(cudaStream_t stream_) const
    {
        return {where, stream_};
    }
    template <class A> rd_policy operator()(const A &) const // an allocator
    {
        return *this;
    }
};
static const rd_policy host = {rd_host, 0}, seq = {rd_host, 0}, device = {rd_device, 0};
namespace cuda
{
static const rd_policy par = {rd_device, 0}, par_nosync = {rd_device, 0};
}
namespace cuda_cub
{
using thrust::cuda::par;
}
namespace system
{
namespace cuda
{
using thrust::cuda::par;
}
} // namespace system
namespace omp
{
static const rd_policy par = {rd_host, 0};
}
struct host_system_tag {
};
struct device_system_tag {
};
struct random_access_traversal_tag {
};

// How an algorithm is to run.
struct rd_run {
    rd_system where;
    cudaStream_t stream;
    rd_library_site site;

    RD_UNSEEN bool launches() const
    {
        return where == rd_device && !rd_sim_is_on_device();
    }
    // Calls the body for each number below n, in no order.
    template <class F> RD_UNSEEN void each(size_t n, F body) const
    {
        if (launches())
            rd_library_launch(site, n, stream, [=]() {
                size_t k = rd_thread_number();
                if (k < n)
                    body(k);
            });
        else
            here([=]() {
                for (size_t k = 0; k < n; k++)
                    body(k);
            });
    }
    template <class F> RD_UNSEEN void once(F body) const
    {
        if (launches())
            rd_library_launch_serial(site, stream, body);
        else
            here(body);
    }
    // The same of one that gives a value.
    template <class T, class F> RD_UNSEEN T value(F body) const
    {
        union bytes { // what is not made is not destroyed
            T value;
            char none;
            RD_UNSEEN bytes() : none()
            {
            }
            RD_UNSEEN ~bytes()
            {
            }
        } result;
        bytes *to = &result;
        once([=]() {
            T got = body();
            give(to, &got);
        });
        finish();
        return result.value;
    }
    // The host waits for what was launched; errors are Thrust's exceptions.
    RD_UNSEEN void finish() const
    {
        if (!launches())
            return;
        cudaError_t error = cudaStreamSynchronize(stream);
        if (error != cudaSuccess)
            throw system_error(error, cuda_category(), site.name);
    }

  private:
    // On the host, or in the kernel that calls the algorithm.
    template <class F> RD_UNSEEN void here(F body) const
    {
        const bool is_host = !rd_sim_is_on_device();
        if (is_host)
            rd_sim_instead(site.file, site.line);
        body();
        if (is_host)
            rd_sim_instead(nullptr, 0);
    }
    // To memory of the host's, which the thread must not be seen to write.
    template <class To, class T> RD_BARE static void give(To *to, const T *from)
    {
        for (size_t k = 0; k < sizeof(T); k++)
            ((volatile char *)to)[k] = ((const volatile char *)from)[k];
    }
};
// Memory for an algorithm while it runs, of where it runs.
template <class T> struct rd_scratch {
    const rd_run &how;
    T *data = nullptr;
    RD_UNSEEN rd_scratch(const rd_run &how_, size_t n) : how(how_)
    {
        if (n == 0)
            return;
        if (how.launches())
            cudaMallocAsync((void **)&data, n * sizeof(T), how.stream);
        else
            data = (T *)malloc(n * sizeof(T));
    }
    rd_scratch(const rd_scratch &) = delete;
    RD_UNSEEN ~rd_scratch()
    {
        if (data && how.launches())
            cudaFreeAsync((void *)data, how.stream);
        else if (data)
            free((void *)data);
    }
};
} // namespace thrust

#endif
