// SPDX-License-Identifier: MIT
#include "run/observers.h"

enum rd_status rd_observers_begin(struct rd_observers *observers)
{
    for (; observers->list && observers->list[observers->begun]; observers->begun++) {
        const struct rd_observer *observer = observers->list[observers->begun];
        enum rd_status status = RD_OK;
        if (observer->begin)
            status = observer->begin(observer->self, observers->run, observers->error);
        if (status != RD_OK)
            return status;
    }
    return RD_OK;
}

enum rd_status rd_observers_step(const struct rd_observers *observers, const struct rd_step *step)
{
    enum rd_status status = RD_OK;
    for (size_t k = 0; k < observers->begun && status == RD_OK; k++) {
        const struct rd_observer *observer = observers->list[k];
        if (observer->step)
            status = observer->step(observer->self, observers->run, step, observers->error);
    }
    return status;
}

enum rd_status rd_observers_hazard(const struct rd_observers *observers,
                                   const struct rd_hazard *hazard)
{
    enum rd_status status = RD_OK;
    for (size_t k = 0; k < observers->begun && status == RD_OK; k++) {
        const struct rd_observer *observer = observers->list[k];
        if (observer->hazard)
            status = observer->hazard(observer->self, observers->run, hazard, observers->error);
    }
    return status;
}

enum rd_status rd_observers_end(const struct rd_observers *observers,
                                const struct rd_result *result, enum rd_status status)
{
    for (size_t k = 0; k < observers->begun; k++) {
        const struct rd_observer *observer = observers->list[k];
        if (!observer->end)
            continue;
        enum rd_status ended = observer->end(observer->self, observers->run, result,
                                             status == RD_OK ? observers->error : NULL);
        if (status == RD_OK)
            status = ended;
    }
    return status;
}
