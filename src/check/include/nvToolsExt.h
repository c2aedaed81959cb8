// SPDX-License-Identifier: MIT
// NVTX: marks for a profiler, of which there is none.
#ifndef RD_NV_TOOLS_EXT_H
#define RD_NV_TOOLS_EXT_H

#include <stddef.h>
#include <stdint.h>

typedef struct nvtxDomainRegistration_st *nvtxDomainHandle_t;
typedef struct nvtxStringRegistration_st *nvtxStringHandle_t;
typedef uint64_t nvtxRangeId_t;
#define NVTX_VERSION                  3
#define NVTX_EVENT_ATTRIB_STRUCT_SIZE ((uint16_t)sizeof(nvtxEventAttributes_t))
enum { NVTX_COLOR_UNKNOWN, NVTX_COLOR_ARGB };
enum { NVTX_MESSAGE_UNKNOWN, NVTX_MESSAGE_TYPE_ASCII, NVTX_MESSAGE_TYPE_UNICODE };
enum {
    NVTX_PAYLOAD_UNKNOWN,
    NVTX_PAYLOAD_TYPE_UNSIGNED_INT64,
    NVTX_PAYLOAD_TYPE_INT64,
    NVTX_PAYLOAD_TYPE_DOUBLE,
    NVTX_PAYLOAD_TYPE_UNSIGNED_INT32,
    NVTX_PAYLOAD_TYPE_INT32,
    NVTX_PAYLOAD_TYPE_FLOAT
};
typedef union nvtxMessageValue_t {
    const char *ascii;
    const wchar_t *unicode;
    nvtxStringHandle_t registered;
} nvtxMessageValue_t;
typedef struct nvtxEventAttributes_t {
    uint16_t version, size;
    uint32_t category;
    int32_t colorType;
    uint32_t color;
    int32_t payloadType, reserved0;
    union {
        uint64_t ullValue;
        int64_t llValue;
        double dValue;
        uint32_t uiValue;
        int32_t iValue;
        float fValue;
    } payload;
    int32_t messageType;
    nvtxMessageValue_t message;
} nvtxEventAttributes_t;

#define RD_NVTX(T, name, ...)                                                                      \
    static inline T name(__VA_ARGS__)                                                              \
    {                                                                                              \
        return (T)0;                                                                               \
    }
RD_NVTX(int, nvtxRangePushA, const char *)
RD_NVTX(int, nvtxRangePushW, const wchar_t *)
RD_NVTX(int, nvtxRangePushEx, const nvtxEventAttributes_t *)
RD_NVTX(int, nvtxRangePop, void)
RD_NVTX(nvtxRangeId_t, nvtxRangeStartA, const char *)
RD_NVTX(nvtxRangeId_t, nvtxRangeStartEx, const nvtxEventAttributes_t *)
RD_NVTX(void, nvtxRangeEnd, nvtxRangeId_t)
RD_NVTX(void, nvtxMarkA, const char *)
RD_NVTX(void, nvtxMarkEx, const nvtxEventAttributes_t *)
RD_NVTX(void, nvtxNameOsThreadA, uint32_t, const char *)
RD_NVTX(void, nvtxNameCategoryA, uint32_t, const char *)
RD_NVTX(nvtxDomainHandle_t, nvtxDomainCreateA, const char *)
RD_NVTX(void, nvtxDomainDestroy, nvtxDomainHandle_t)
RD_NVTX(int, nvtxDomainRangePushEx, nvtxDomainHandle_t, const nvtxEventAttributes_t *)
RD_NVTX(int, nvtxDomainRangePop, nvtxDomainHandle_t)
// Of streams, events and devices, by handles whose types are the runtime's or the driver's.
#define RD_NVTX_NAME(name)                                                                         \
    template <class T> inline void name(T, const char *)                                           \
    {                                                                                              \
    }
#ifdef __cplusplus
RD_NVTX_NAME(nvtxNameCudaStreamA)
RD_NVTX_NAME(nvtxNameCudaEventA)
RD_NVTX_NAME(nvtxNameCudaDeviceA)
RD_NVTX_NAME(nvtxNameCuStreamA)
RD_NVTX_NAME(nvtxNameCuEventA)
RD_NVTX_NAME(nvtxNameCuDeviceA)
RD_NVTX_NAME(nvtxNameCuContextA)
#endif
#define nvtxRangePush    nvtxRangePushA
#define nvtxMark         nvtxMarkA
#define nvtxRangeStart   nvtxRangeStartA
#define nvtxNameOsThread nvtxNameOsThreadA
#define nvtxNameCategory nvtxNameCategoryA
#define nvtxDomainCreate nvtxDomainCreateA

#endif
