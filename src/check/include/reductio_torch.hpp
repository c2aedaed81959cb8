// SPDX-License-Identifier: MIT
// PyTorch's interface for extensions, as far as files with kernels use it: declared, so that their kernels can be
// checked without it. None of it is simulated: a call ends the program and says so. What an installation has comes first, by -I.
#ifndef RD_TORCH_HPP
#define RD_TORCH_HPP

#include "reductio_cuda.hpp"

#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <initializer_list>
#include <iostream>
#include <optional>
#include <stdexcept>
#include <string>
#include <tuple>
#include <vector>

// The end of the program, told with the line of the call: in functions that are never inlined.
#define RD_TORCH_END                                                                               \
    {                                                                                              \
        rd_sim_unsimulated("PyTorch", "", 0, RD_HERE_PC);                                          \
        __builtin_abort();                                                                         \
    }
#define RD_TORCH_ANY(T, name) template <class... A> RD_BARE T name(const A &...) RD_TORCH_END

namespace c10
{
enum class ScalarType { Byte, Char, Short, Int, Long, Half, Float, Double, Bool, BFloat16 };
enum class DeviceType { CPU, CUDA };
enum class Layout { Strided };
typedef __half Half;
typedef __nv_bfloat16 BFloat16;
template <class T> using optional = ::std::optional<T>;
constexpr ::std::nullopt_t nullopt = ::std::nullopt;
template <class T> struct ArrayRef {
    ArrayRef() = default;
    ArrayRef(const ::std::initializer_list<T> &)
    {
    }
    template <class U> ArrayRef(const ::std::vector<U> &)
    {
    }
    RD_BARE size_t size() const RD_TORCH_END;

    RD_BARE const T &operator[](size_t) const RD_TORCH_END;
    RD_BARE const T *begin() const RD_TORCH_END;
    RD_BARE const T *end() const RD_TORCH_END;
    RD_BARE ::std::vector<T> vec() const RD_TORCH_END;
    RD_BARE bool operator==(const ArrayRef &) const RD_TORCH_END;
    RD_BARE bool operator!=(const ArrayRef &) const RD_TORCH_END;
};
typedef ArrayRef<int64_t> IntArrayRef;
struct Device {
    DeviceType kind;
    int number;
    Device(DeviceType type = DeviceType::CPU, int index_ = 0) : kind(type), number(index_)
    {
    }
    DeviceType type() const
    {
        return kind;
    }
    int index() const
    {
        return number;
    }
    bool is_cuda() const
    {
        return kind == DeviceType::CUDA;
    }
    bool operator==(const Device &other) const
    {
        return kind == other.kind && number == other.number;
    }
    bool operator!=(const Device &other) const
    {
        return !(*this == other);
    }
};
struct TensorOptions {
    TensorOptions() = default;
    TensorOptions(ScalarType)
    {
    }
    TensorOptions(Device)
    {
    }
    TensorOptions(DeviceType)
    {
    }
    template <class T> TensorOptions dtype(const T &) const
    {
        return *this;
    }
    RD_BARE ScalarType dtype() const RD_TORCH_END;
    template <class... A> TensorOptions device(const A &...) const
    {
        return *this;
    }
    template <class T> TensorOptions layout(const T &) const
    {
        return *this;
    }
    TensorOptions requires_grad(bool) const
    {
        return *this;
    }
};
struct Scalar {
    template <class T> Scalar(const T &)
    {
    }
    template <class T> RD_BARE T to() const RD_TORCH_END;
};
typedef ::std::runtime_error Error;
} // namespace c10

namespace at
{
using namespace c10;
template <class T, size_t N, template <class> class P, class I> struct GenericPackedTensorAccessor {
    template <class J>
    RD_BARE
        typename std::conditional<N == 1, T &, GenericPackedTensorAccessor<T, N - 1, P, I>>::type
        operator[](J) const RD_TORCH_END;
    RD_BARE I size(I) const RD_TORCH_END;
    RD_BARE I stride(I) const RD_TORCH_END;
};
template <class T> struct RestrictPtrTraits {
    typedef T *__restrict__ PtrType;
};
template <class T> struct DefaultPtrTraits {
    typedef T *PtrType;
};
template <class T, size_t N, template <class> class P = DefaultPtrTraits, class I = int64_t>
using PackedTensorAccessor = GenericPackedTensorAccessor<T, N, P, I>;
template <class T, size_t N, template <class> class P = DefaultPtrTraits>
using PackedTensorAccessor32 = GenericPackedTensorAccessor<T, N, P, int32_t>;
template <class T, size_t N, template <class> class P = DefaultPtrTraits>
using PackedTensorAccessor64 = GenericPackedTensorAccessor<T, N, P, int64_t>;

class Tensor
{
  public:
#define RD_TORCH_MEMBER(T, name, ...) RD_BARE T name(__VA_ARGS__) const RD_TORCH_END
    RD_TORCH_MEMBER(int64_t, size, int64_t)
    RD_TORCH_MEMBER(int64_t, stride, int64_t)
    RD_TORCH_MEMBER(IntArrayRef, sizes)
    RD_TORCH_MEMBER(IntArrayRef, strides)
    RD_TORCH_MEMBER(int64_t, numel)
    RD_TORCH_MEMBER(int64_t, dim)
    RD_TORCH_MEMBER(int64_t, ndimension)
    RD_TORCH_MEMBER(int64_t, element_size)
    RD_TORCH_MEMBER(size_t, nbytes)
    RD_TORCH_MEMBER(TensorOptions, options)
    RD_TORCH_MEMBER(ScalarType, dtype)
    RD_TORCH_MEMBER(ScalarType, scalar_type)
    RD_TORCH_MEMBER(ScalarType, type)
    RD_TORCH_MEMBER(Device, device)
    RD_TORCH_MEMBER(int64_t, get_device)
    RD_TORCH_MEMBER(bool, is_cuda)
    RD_TORCH_MEMBER(bool, defined)
    RD_TORCH_MEMBER(bool, is_contiguous)
    RD_TORCH_MEMBER(Tensor, contiguous)
    RD_TORCH_MEMBER(Tensor, clone)
    RD_TORCH_MEMBER(Tensor, t)
    RD_TORCH_MEMBER(Tensor, zero_)
    RD_TORCH_MEMBER(void *, data_ptr)
#define RD_TORCH_TO(T, name) template <class... A> RD_BARE T name(const A &...) const RD_TORCH_END
    RD_TORCH_TO(Tensor, to)
    RD_TORCH_TO(Tensor, view)
    RD_TORCH_TO(Tensor, reshape)
    RD_TORCH_TO(Tensor, transpose)
    RD_TORCH_TO(Tensor, permute)
    RD_TORCH_TO(Tensor, sum)
    RD_TORCH_TO(Tensor, mean)
    RD_TORCH_TO(Tensor, max)
    RD_TORCH_TO(Tensor, flatten)
    RD_TORCH_TO(Tensor, unsqueeze)
    RD_TORCH_TO(Tensor, squeeze)
    RD_TORCH_TO(Tensor, slice)
    RD_TORCH_TO(Tensor, select)
    RD_TORCH_TO(Tensor, narrow)
    RD_TORCH_TO(Tensor, expand)
    RD_TORCH_TO(Tensor, cpu)
    RD_TORCH_TO(Tensor, cuda)
    RD_TORCH_TO(Tensor, fill_)
    RD_TORCH_TO(Tensor, copy_)
    RD_TORCH_TO(Tensor, operator[])
    template <class T>
    RD_TORCH_MEMBER(T *, data_ptr)
    template <class T>
    RD_TORCH_MEMBER(T *, mutable_data_ptr)
    template <class T>
    RD_TORCH_MEMBER(const T *, const_data_ptr)
    template <class T>
    RD_TORCH_MEMBER(T *, data)
    template <class T>
    RD_TORCH_MEMBER(T, item)
    template <class T, size_t N, template <class> class P = DefaultPtrTraits>
    RD_BARE PackedTensorAccessor32<T, N, P> packed_accessor32() const RD_TORCH_END;

    template <class T, size_t N, template <class> class P = DefaultPtrTraits>
    RD_BARE PackedTensorAccessor64<T, N, P> packed_accessor64() const RD_TORCH_END;
};
RD_TORCH_ANY(Tensor, empty)
RD_TORCH_ANY(Tensor, zeros)
RD_TORCH_ANY(Tensor, ones)
RD_TORCH_ANY(Tensor, full)
RD_TORCH_ANY(Tensor, rand)
RD_TORCH_ANY(Tensor, randn)
RD_TORCH_ANY(Tensor, arange)
RD_TORCH_ANY(Tensor, tensor)
RD_TORCH_ANY(Tensor, matmul)
RD_TORCH_ANY(Tensor, empty_like)
RD_TORCH_ANY(Tensor, zeros_like)
RD_TORCH_ANY(Tensor, ones_like)
RD_TORCH_ANY(Tensor, full_like)
// Sizes in braces have no type that a template would take.
#define RD_TORCH_SIZES(name)                                                                       \
    RD_BARE inline Tensor name(IntArrayRef, const TensorOptions & = {}) RD_TORCH_END
RD_TORCH_SIZES(empty)
RD_TORCH_SIZES(zeros)
RD_TORCH_SIZES(ones)
RD_TORCH_SIZES(rand)
RD_TORCH_SIZES(randn)

constexpr ScalarType kByte = ScalarType::Byte, kUInt8 = ScalarType::Byte, kChar = ScalarType::Char,
                     kInt8 = ScalarType::Char, kShort = ScalarType::Short,
                     kInt16 = ScalarType::Short, kInt = ScalarType::Int, kInt32 = ScalarType::Int,
                     kLong = ScalarType::Long, kInt64 = ScalarType::Long, kHalf = ScalarType::Half,
                     kFloat16 = ScalarType::Half, kFloat = ScalarType::Float,
                     kFloat32 = ScalarType::Float, kDouble = ScalarType::Double,
                     kFloat64 = ScalarType::Double, kBool = ScalarType::Bool,
                     kBFloat16 = ScalarType::BFloat16;
constexpr DeviceType kCPU = DeviceType::CPU, kCUDA = DeviceType::CUDA;
namespace cuda
{
RD_TORCH_ANY(cudaStream_t, getCurrentCUDAStream)
RD_TORCH_ANY(cudaStream_t, getDefaultCUDAStream)
RD_TORCH_ANY(cudaDeviceProp *, getCurrentDeviceProperties)
typedef cudaStream_t CUDAStream;
struct CUDAGuard {
    template <class T> RD_BARE explicit CUDAGuard(const T &) RD_TORCH_END;
};
typedef CUDAGuard OptionalCUDAGuard;
} // namespace cuda
template <class T, bool> struct rd_acc_type {
    using type = T;
};
template <> struct rd_acc_type<__half, true> {
    using type = float;
};
template <> struct rd_acc_type<__nv_bfloat16, true> {
    using type = float;
};
template <class T, bool is_cuda = true> using acc_type = typename rd_acc_type<T, true>::type;
template <class T> using opmath_type = typename rd_acc_type<T, true>::type;
} // namespace at
namespace c10
{
namespace cuda
{
using namespace at::cuda;
}
} // namespace c10

namespace pybind11
{
struct none {
};
struct arg {
    explicit arg(const char *)
    {
    }
    template <class T> arg operator=(const T &) const
    {
        return *this;
    }
};
struct module_ {
    template <class... A> module_ &def(const A &...)
    {
        return *this;
    }
    template <class T> void attr(const T &)
    {
    }
};
typedef module_ module;
template <class... A> constexpr auto overload_cast = [](auto f) { return f; };
} // namespace pybind11
namespace torch
{
using namespace at;
struct Library {
    template <class... A> Library &def(const A &...)
    {
        return *this;
    }
    template <class... A> Library &impl(const A &...)
    {
        return *this;
    }
};
struct DeviceGuard : at::cuda::CUDAGuard {
    using CUDAGuard::CUDAGuard;
};
} // namespace torch
namespace py = pybind11;

RD_BARE inline std::ostream &operator<<(std::ostream &, c10::ScalarType) RD_TORCH_END;
RD_BARE
inline std::ostream &operator<<(std::ostream &, const c10::TensorOptions &) RD_TORCH_END;
RD_BARE
inline std::ostream &operator<<(std::ostream &, const c10::IntArrayRef &) RD_TORCH_END;
RD_BARE inline std::ostream &operator<<(std::ostream &, const at::Tensor &) RD_TORCH_END;

// Python alone calls these.
#define TORCH_EXTENSION_NAME           rd_extension
#define PYBIND11_MODULE(name, m)       __attribute__((used)) static void rd_module(pybind11::module_ &m)
#define RD_LIBRARY(ns, m)              __attribute__((used)) static void rd_library_##ns(torch::Library &m)
#define TORCH_LIBRARY(ns, m)           RD_LIBRARY(ns, m)
#define TORCH_LIBRARY_FRAGMENT(ns, m)  RD_LIBRARY(ns##_fragment, m)
#define TORCH_LIBRARY_IMPL(ns, key, m) RD_LIBRARY(ns##key, m)
#define TORCH_CHECK(condition, ...)                                                                \
    do {                                                                                           \
        if (!(condition))                                                                          \
            throw ::c10::Error("" #condition);                                                     \
    } while (0)
#define TORCH_CHECK_EQ(x, y)           TORCH_CHECK((x) == (y))
#define TORCH_INTERNAL_ASSERT          TORCH_CHECK
#define AT_ASSERTM                     TORCH_CHECK
#define AT_ASSERT                      TORCH_CHECK
#define AT_ERROR(...)                  throw ::c10::Error("PyTorch")
#define AT_CUDA_CHECK(call)            TORCH_CHECK((call) == cudaSuccess)
#define C10_CUDA_CHECK(call)           TORCH_CHECK((call) == cudaSuccess)
#define C10_CUDA_KERNEL_LAUNCH_CHECK() C10_CUDA_CHECK(cudaGetLastError())
#define C10_RESTRICT                   __restrict__
#define C10_HOST_DEVICE                __host__ __device__
#define C10_DEVICE                     __device__
#define C10_LAUNCH_BOUNDS_1(n)         __launch_bounds__(n)
#define C10_LAUNCH_BOUNDS_2(n, m)      __launch_bounds__(n, m)
#define AT_CUDA_DRIVER_CHECK(call)     ((void)(call))
// Each type in turn, as a dispatch would come to it; of which one it is, no tensor tells.
#define RD_DISPATCH(T, ...)                                                                        \
    {                                                                                              \
        using scalar_t = T;                                                                        \
        (void)sizeof(scalar_t);                                                                    \
        __VA_ARGS__();                                                                             \
    }
#define AT_DISPATCH_FLOATING_TYPES(type, name, ...)                                                \
    [&] {                                                                                          \
        if ((type) == ::at::kFloat)                                                                \
            RD_DISPATCH(float, __VA_ARGS__)                                                        \
        else                                                                                       \
            RD_DISPATCH(double, __VA_ARGS__)                                                       \
    }()
#define AT_DISPATCH_FLOATING_TYPES_AND_HALF(type, name, ...)                                       \
    [&] {                                                                                          \
        if ((type) == ::at::kHalf)                                                                 \
            RD_DISPATCH(::c10::Half, __VA_ARGS__)                                                  \
        else if ((type) == ::at::kFloat)                                                           \
            RD_DISPATCH(float, __VA_ARGS__)                                                        \
        else                                                                                       \
            RD_DISPATCH(double, __VA_ARGS__)                                                       \
    }()
#define AT_DISPATCH_FLOATING_TYPES_AND(other, type, name, ...)                                     \
    AT_DISPATCH_FLOATING_TYPES_AND_HALF(type, name, __VA_ARGS__)
#define AT_DISPATCH_FLOATING_TYPES_AND2(one, other, type, name, ...)                               \
    AT_DISPATCH_FLOATING_TYPES_AND_HALF(type, name, __VA_ARGS__)
#define AT_DISPATCH_ALL_TYPES(type, name, ...)                                                     \
    [&] {                                                                                          \
        if ((type) == ::at::kInt)                                                                  \
            RD_DISPATCH(int, __VA_ARGS__)                                                          \
        else if ((type) == ::at::kFloat)                                                           \
            RD_DISPATCH(float, __VA_ARGS__)                                                        \
        else                                                                                       \
            RD_DISPATCH(double, __VA_ARGS__)                                                       \
    }()

#endif
