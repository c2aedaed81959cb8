// SPDX-License-Identifier: MIT
// Stop watches, in milliseconds, as NVIDIA's samples call them.
#ifndef RD_HELPER_TIMER_H
#define RD_HELPER_TIMER_H

#include "reductio_cuda.hpp"

#include <chrono>

class StopWatchInterface
{
  public:
    void start()
    {
        begun = now();
        runs = true;
    }
    void stop()
    {
        sum += runs ? now() - begun : 0;
        sessions += runs;
        runs = false;
    }
    void reset()
    {
        begun = now();
        sum = 0;
        sessions = 0;
    }
    float getTime()
    {
        return (float)(sum + (runs ? now() - begun : 0));
    }
    float getAverageTime()
    {
        return sessions > 0 ? (float)(sum / sessions) : 0;
    }

  private:
    static double now()
    {
        using namespace std::chrono;
        return duration<double, std::milli>(steady_clock::now().time_since_epoch()).count();
    }
    double begun = 0, sum = 0;
    int sessions = 0;
    bool runs = false;
};

inline bool sdkCreateTimer(StopWatchInterface **timer)
{
    *timer = new StopWatchInterface;
    return true;
}
inline bool sdkDeleteTimer(StopWatchInterface **timer)
{
    delete *timer;
    *timer = nullptr;
    return true;
}
#define RD_HELPER_TIMER(name, call)                                                                \
    inline bool name(StopWatchInterface **timer)                                                   \
    {                                                                                              \
        if (*timer)                                                                                \
            (*timer)->call();                                                                      \
        return true;                                                                               \
    }
RD_HELPER_TIMER(sdkStartTimer, start)
RD_HELPER_TIMER(sdkStopTimer, stop)
RD_HELPER_TIMER(sdkResetTimer, reset)
#undef RD_HELPER_TIMER
inline float sdkGetTimerValue(StopWatchInterface **timer)
{
    return *timer ? (*timer)->getTime() : 0;
}
inline float sdkGetAverageTimerValue(StopWatchInterface **timer)
{
    return *timer ? (*timer)->getAverageTime() : 0;
}

#endif
