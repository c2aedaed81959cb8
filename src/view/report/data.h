// SPDX-License-Identifier: MIT
/* What scripts are told of a frame. Private to src/view. */
#ifndef RD_VIEW_DATA_H
#define RD_VIEW_DATA_H

#include "view/report/page.h"

/* Whether it is worth while to look for more. */
bool rd_page_has_room(struct rd_page_data *data);

/* Sets the member named by a cell's number; takes the value. */
void rd_page_put(json_t *object, size_t cell, json_t *value);
/* Sets a member, unless it is empty; takes the value. */
void rd_page_member(json_t *object, const char *name, json_t *value);

/* Where the functions are that say what it claims. */
void rd_page_claim(const struct rd_page_run *run, size_t number, json_t *object);

/* The lines at which the hazards of its round have their places. */
void rd_page_sites(const struct rd_page_run *run, size_t number, json_t *object);

/* Writes all of a frame that follows, and its values; of one that has no picture, whose cells can't be
 * asked, an empty object. Statuses as below. */
enum rd_status rd_page_frame_data(const struct rd_page_run *run, size_t number, bool drawn,
                                  struct rd_page_data *data, struct rd_error *error);
/* What a frame's cells hold of the inputs, where that can be had. RD_ERROR_MEMORY, RD_ERROR_DEVICE,
 * RD_ERROR_IO, as those below. */
enum rd_status rd_page_sets(const struct rd_page_run *run, size_t number,
                            const struct rd_picture_shown *shown, json_t *object,
                            struct rd_page_data *data, struct rd_error *error);
/* Who read and wrote what. */
enum rd_status rd_page_threads(const struct rd_page_run *run, size_t number,
                               const struct rd_picture_shown *shown, json_t *object,
                               struct rd_page_data *data, struct rd_error *error);
/* The expression trees of live and of changed cells. */
enum rd_status rd_page_origins(const struct rd_page_run *run, size_t number,
                               const struct rd_picture_shown *shown, json_t *object,
                               struct rd_page_data *data, struct rd_error *error);

#endif
