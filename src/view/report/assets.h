// SPDX-License-Identifier: MIT
/* The fixed parts of the page, as tools/page.py makes them of the files beside this one. Private to
 * src/view. */
#ifndef RD_VIEW_ASSETS_H
#define RD_VIEW_ASSETS_H

extern const char rd_report_page[]; /* the page, with {{names}} where its parts go */
extern const char rd_report_style[];
extern const char rd_report_script[];
extern const char rd_report_policy[]; /* that allows this style and this script, and nothing else */
extern const char rd_report_picture_css[]; /* of a picture that is a file of its own */

#endif
