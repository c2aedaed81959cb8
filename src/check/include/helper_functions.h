// SPDX-License-Identifier: MIT
// Functions that the host code of NVIDIA's samples calls; it is compiled but never runs.
#ifndef RD_HELPER_FUNCTIONS_H
#define RD_HELPER_FUNCTIONS_H

#include "reductio_cuda.hpp"

#ifndef EXIT_WAIVED
#define EXIT_WAIVED 2
#endif

struct StopWatchInterface {
};

#define RD_HELPER(T, name)                                                                         \
    template <class... P> inline T name(P &&...)                                                   \
    {                                                                                              \
        return {};                                                                                 \
    }
RD_HELPER(bool, checkCmdLineFlag)
RD_HELPER(int, getCmdLineArgumentInt)
RD_HELPER(float, getCmdLineArgumentFloat)
RD_HELPER(bool, getCmdLineArgumentString)
RD_HELPER(char *, sdkFindFilePath)
RD_HELPER(bool, sdkCreateTimer)
RD_HELPER(bool, sdkDeleteTimer)
RD_HELPER(bool, sdkStartTimer)
RD_HELPER(bool, sdkStopTimer)
RD_HELPER(bool, sdkResetTimer)
RD_HELPER(float, sdkGetTimerValue)
RD_HELPER(float, sdkGetAverageTimerValue)
RD_HELPER(bool, sdkCompareL2fe)
RD_HELPER(int, findCudaDevice)
RD_HELPER(int, gpuDeviceInit)
RD_HELPER(int, gpuGetMaxGflopsDeviceId)
RD_HELPER(int, _ConvertSMVer2Cores)
RD_HELPER(bool, checkCudaCapabilities)
RD_HELPER(const char *, _cudaGetErrorEnum)

#define checkCudaErrors(value)    ((void)(value))
#define getLastCudaError(message) ((void)(message))

#endif
