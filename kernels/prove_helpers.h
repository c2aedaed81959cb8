// SPDX-License-Identifier: MIT
/* What NVIDIA's samples have of their own, for the prover: calls of CUDA succeed, so that what asks for errors is the call alone. */
#ifndef RD_PROVE_HELPERS_H
#define RD_PROVE_HELPERS_H

#include <stdio.h>

#define checkCudaErrors(value) ((void)(value))
void getLastCudaError(const char *message);
void printLastCudaError(const char *message);
int findCudaDevice(int argc, const char **argv);
int gpuGetMaxGflopsDeviceId();

#ifndef EXIT_WAIVED
#define EXIT_WAIVED 2
#endif

bool checkCmdLineFlag(int argc, const char **argv, const char *name);
int getCmdLineArgumentInt(int argc, const char **argv, const char *name);
float getCmdLineArgumentFloat(int argc, const char **argv, const char *name);

class StopWatchInterface;
bool sdkCreateTimer(StopWatchInterface **timer);
bool sdkDeleteTimer(StopWatchInterface **timer);
bool sdkStartTimer(StopWatchInterface **timer);
bool sdkStopTimer(StopWatchInterface **timer);
bool sdkResetTimer(StopWatchInterface **timer);
float sdkGetTimerValue(StopWatchInterface **timer);
float sdkGetAverageTimerValue(StopWatchInterface **timer);

#endif
