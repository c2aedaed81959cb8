// SPDX-License-Identifier: MIT
// cuFFT on several GPUs: complex transforms, one at a time, whose data the GPUs share evenly. Slabs of the first dimension before, of
// the second one afterwards; of one dimension, each GPU then has each nth element. By cuFFT on the first of the GPUs. And callbacks.
#ifndef RD_CUFFT_XT_H
#define RD_CUFFT_XT_H

#include <cufft.h> // by the path: what includes the next one must not be found beside this

#include "reductio_cufft_stages.h"

#include <vector>

#if __has_include_next(<cufftXt.h>)
#include_next <cufftXt.h>
#else
#include <cublas_v2.h> // for cudaDataType
extern "C" cufftResult cufftXtMakePlanMany(cufftHandle plan, int rank, long long *n,
                                           long long *inembed, long long istride, long long idist,
                                           cudaDataType in, long long *onembed, long long ostride,
                                           long long odist, cudaDataType out, long long batch,
                                           size_t *bytes, cudaDataType compute);
extern "C" cufftResult cufftXtExec(cufftHandle plan, void *in, void *out, int direction);
typedef enum {
    CUFFT_XT_FORMAT_INPUT,
    CUFFT_XT_FORMAT_OUTPUT,
    CUFFT_XT_FORMAT_INPLACE,
    CUFFT_XT_FORMAT_INPLACE_SHUFFLED
} cufftXtSubFormat;
typedef enum {
    CUFFT_COPY_HOST_TO_DEVICE,
    CUFFT_COPY_DEVICE_TO_HOST,
    CUFFT_COPY_DEVICE_TO_DEVICE
} cufftXtCopyType;
typedef enum {
    CUFFT_CB_LD_COMPLEX,
    CUFFT_CB_LD_COMPLEX_DOUBLE,
    CUFFT_CB_LD_REAL,
    CUFFT_CB_LD_REAL_DOUBLE,
    CUFFT_CB_ST_COMPLEX,
    CUFFT_CB_ST_COMPLEX_DOUBLE,
    CUFFT_CB_ST_REAL,
    CUFFT_CB_ST_REAL_DOUBLE,
    CUFFT_CB_UNDEFINED
} cufftXtCallbackType;
typedef cufftComplex (*cufftCallbackLoadC)(void *, size_t, void *, void *);
typedef cufftDoubleComplex (*cufftCallbackLoadZ)(void *, size_t, void *, void *);
typedef cufftReal (*cufftCallbackLoadR)(void *, size_t, void *, void *);
typedef cufftDoubleReal (*cufftCallbackLoadD)(void *, size_t, void *, void *);
typedef void (*cufftCallbackStoreC)(void *, size_t, cufftComplex, void *, void *);
typedef void (*cufftCallbackStoreZ)(void *, size_t, cufftDoubleComplex, void *, void *);
typedef void (*cufftCallbackStoreR)(void *, size_t, cufftReal, void *, void *);
typedef void (*cufftCallbackStoreD)(void *, size_t, cufftDoubleReal, void *, void *);
extern "C" cufftResult cufftXtSetGPUs(cufftHandle plan, int n, int *gpus);
typedef enum { LIB_FORMAT_CUFFT, LIB_FORMAT_UNDEFINED } libFormat;
typedef struct {
    int version, nGPUs, GPUs[64];
    void *data[64];
    size_t size[64];
    void *cudaXtState;
} cudaXtDesc;
typedef struct {
    int version;
    cudaXtDesc *descriptor;
    libFormat library;
    int subFormat;
    void *libDescriptor;
} cudaLibXtDesc;
#endif

// What these functions call is told as done at the line that calls them.
struct rd_xt_call {
    rd_xt_call(const void *pc)
    {
        unsigned line = 0;
        const char *file = rd_sim_caller(pc, &line);
        rd_sim_instead(file, line);
    }
    ~rd_xt_call()
    {
        rd_sim_instead(nullptr, 0);
    }
};
#define RD_XT_CALL const rd_xt_call rd_call(__builtin_return_address(0))
// Makes a device the current one, as long as it lives.
struct rd_xt_device {
    int before = 0;
    rd_xt_device(int device)
    {
        (void)cudaGetDevice(&before);
        (void)cudaSetDevice(device);
    }
    ~rd_xt_device()
    {
        (void)cudaSetDevice(before);
    }
};
// How a plan's elements lie on its GPUs.
struct rd_xt_shape {
    std::vector<int> gpus;
    long long n[3];
    int type;
    cufftResult error = CUFFT_SUCCESS;
    rd_xt_shape(cufftHandle plan)
    {
        int all[16], n_gpus = 0;
        const long long batch = rd_sim_cuda_fft_shape(plan, n, &type, all, &n_gpus);
        if (batch <= 0 || n_gpus == 0) {
            error = CUFFT_INVALID_PLAN;
            return;
        }
        gpus.assign(all, all + n_gpus);
        if (n[0] == 1 && n[1] > 1) { // of two dimensions
            n[0] = n[1];
            n[1] = n[2];
            n[2] = 1;
        }
        const long long share = (long long)gpus.size();
        if ((type != CUFFT_C2C && type != CUFFT_Z2Z) || batch != 1)
            rd_unsimulated("transforms of real numbers, or of several arrays, on several GPUs");
        if (is_flat() ? n[2] % share : n[0] % share || n[1] % share)
            rd_unsimulated("a transform that its GPUs can't share evenly");
    }
    bool is_flat() const
    {
        return n[0] * n[1] == 1;
    }
    size_t element_bytes() const
    {
        return type == CUFFT_Z2Z ? sizeof(cufftDoubleComplex) : sizeof(cufftComplex);
    }
    size_t all_bytes() const
    {
        return (size_t)(n[0] * n[1] * n[2]) * element_bytes();
    }
    size_t bytes_of_one() const
    {
        return all_bytes() / gpus.size();
    }
    bool fits(const cudaLibXtDesc *parts) const
    {
        return parts && parts->descriptor && parts->descriptor->nGPUs == (int)gpus.size() &&
               parts->descriptor->size[0] == bytes_of_one();
    }
    static bool is_shuffled(const cudaLibXtDesc *parts)
    {
        return parts->subFormat == CUFFT_XT_FORMAT_INPLACE_SHUFFLED;
    }
    // Between the GPUs and an array in order, wherever that is.
    bool copy(const cudaLibXtDesc *parts, void *array, bool to_gpus) const
    {
        const size_t share = gpus.size(), all = all_bytes(), one = bytes_of_one(),
                     width = !is_shuffled(parts) ? one
                             : is_flat()         ? element_bytes()
                                                 : all / (size_t)n[0] / share,
                     pitch = is_shuffled(parts) ? width * share : one;
        bool good = true;
        for (size_t k = 0; good && k < share; k++) {
            char *const part = (char *)array + k * width;
            void *const data = parts->descriptor->data[k];
            good = (to_gpus ? cudaMemcpy2D(data, width, part, pitch, width, one / width,
                                           cudaMemcpyDefault)
                            : cudaMemcpy2D(part, pitch, data, width, width, one / width,
                                           cudaMemcpyDefault)) == cudaSuccess;
        }
        return good;
    }
};
// All elements in order, on the first GPU, which is the current one meanwhile.
struct rd_xt_memory {
    rd_xt_device first;
    void *at = nullptr;
    rd_xt_memory(const rd_xt_shape &shape) : first(shape.gpus[0])
    {
        if (cudaMalloc(&at, shape.all_bytes()) != cudaSuccess)
            at = nullptr;
    }
    ~rd_xt_memory()
    {
        (void)cudaFree(at);
    }
};
// Calls transform(memory of the first GPU).
template <class F>
inline cufftResult rd_xt_transform(cufftHandle plan, cudaLibXtDesc *in, cudaLibXtDesc *out,
                                   int type, F transform)
{
    const rd_xt_shape shape(plan);
    if (shape.error != CUFFT_SUCCESS)
        return shape.error;
    if (shape.type != type)
        return CUFFT_INVALID_TYPE;
    if (in != out || !shape.fits(in)) // transforms on several GPUs are in place
        return CUFFT_INVALID_VALUE;
    const rd_xt_memory array(shape);
    if (!array.at || !shape.copy(in, array.at, false) || transform(array.at) != CUFFT_SUCCESS)
        return CUFFT_EXEC_FAILED;
    in->subFormat =
        rd_xt_shape::is_shuffled(in) ? CUFFT_XT_FORMAT_INPLACE : CUFFT_XT_FORMAT_INPLACE_SHUFFLED;
    return shape.copy(in, array.at, true) ? CUFFT_SUCCESS : CUFFT_EXEC_FAILED;
}

extern "C" {
RD_BARE inline cufftResult cufftXtFree(cudaLibXtDesc *parts)
{
    RD_XT_CALL;
    if (!parts)
        return CUFFT_SUCCESS;
    bool good = true;
    for (int k = 0; k < parts->descriptor->nGPUs; k++)
        good =
            (!parts->descriptor->data[k] || cudaFree(parts->descriptor->data[k]) == cudaSuccess) &&
            good;
    delete parts->descriptor;
    delete parts;
    return good ? CUFFT_SUCCESS : CUFFT_INVALID_VALUE;
}
RD_BARE inline cufftResult cufftXtMalloc(cufftHandle plan, cudaLibXtDesc **to,
                                         cufftXtSubFormat format)
{
    RD_XT_CALL;
    const rd_xt_shape shape(plan);
    if (shape.error != CUFFT_SUCCESS)
        return shape.error;
    if (!to || (format != CUFFT_XT_FORMAT_INPLACE && format != CUFFT_XT_FORMAT_INPLACE_SHUFFLED &&
                format != CUFFT_XT_FORMAT_INPUT))
        return CUFFT_INVALID_VALUE;
    cudaLibXtDesc *parts = new cudaLibXtDesc();
    parts->descriptor = new cudaXtDesc();
    parts->library = LIB_FORMAT_CUFFT;
    parts->subFormat = format;
    parts->descriptor->nGPUs = (int)shape.gpus.size();
    for (size_t k = 0; k < shape.gpus.size(); k++) {
        const rd_xt_device device(shape.gpus[k]);
        parts->descriptor->GPUs[k] = shape.gpus[k];
        parts->descriptor->size[k] = shape.bytes_of_one();
        if (cudaMalloc(&parts->descriptor->data[k], shape.bytes_of_one()) != cudaSuccess) {
            (void)cufftXtFree(parts);
            return CUFFT_ALLOC_FAILED;
        }
    }
    *to = parts;
    return CUFFT_SUCCESS;
}
RD_BARE inline cufftResult cufftXtMemcpy(cufftHandle plan, void *to, void *from,
                                         cufftXtCopyType type)
{
    RD_XT_CALL;
    const rd_xt_shape shape(plan);
    const bool from_gpus = type != CUFFT_COPY_HOST_TO_DEVICE,
               to_gpus = type != CUFFT_COPY_DEVICE_TO_HOST;
    if (shape.error != CUFFT_SUCCESS)
        return shape.error;
    if (!to || !from || type > CUFFT_COPY_DEVICE_TO_DEVICE ||
        (from_gpus && !shape.fits((cudaLibXtDesc *)from)) ||
        (to_gpus && !shape.fits((cudaLibXtDesc *)to)))
        return CUFFT_INVALID_VALUE;
    if (!to_gpus || !from_gpus)
        return shape.copy((cudaLibXtDesc *)(to_gpus ? to : from), to_gpus ? from : to, to_gpus)
                   ? CUFFT_SUCCESS
                   : CUFFT_EXEC_FAILED;
    const rd_xt_memory array(shape);
    return array.at && shape.copy((cudaLibXtDesc *)from, array.at, false) &&
                   shape.copy((cudaLibXtDesc *)to, array.at, true)
               ? CUFFT_SUCCESS
               : CUFFT_EXEC_FAILED;
}
RD_BARE inline cufftResult cufftXtExecDescriptorC2C(cufftHandle plan, cudaLibXtDesc *in,
                                                    cudaLibXtDesc *out, int direction)
{
    RD_XT_CALL;
    return rd_xt_transform(plan, in, out, CUFFT_C2C, [=](void *at) {
        return cufftExecC2C(plan, (cufftComplex *)at, (cufftComplex *)at, direction);
    });
}
RD_BARE inline cufftResult cufftXtExecDescriptorZ2Z(cufftHandle plan, cudaLibXtDesc *in,
                                                    cudaLibXtDesc *out, int direction)
{
    RD_XT_CALL;
    return rd_xt_transform(plan, in, out, CUFFT_Z2Z, [=](void *at) {
        return cufftExecZ2Z(plan, (cufftDoubleComplex *)at, (cufftDoubleComplex *)at, direction);
    });
}
#undef RD_XT_CALL
} // extern "C"

#include "reductio_cufft_callbacks.hpp"

#endif
