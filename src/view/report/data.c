// SPDX-License-Identifier: MIT
#include "view/report/page.h"

enum rd_status rd_page_data(const struct rd_page_run *run, size_t *budget, json_t **data,
                            struct rd_error *error)
{
    (void)run;
    (void)budget;
    (void)error;
    *data = json_object();
    return RD_OK;
}
