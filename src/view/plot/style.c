// SPDX-License-Identifier: MIT
#include "view/plot/panel.h"

/* A chart of its own has a background, and is dark where the viewer prefers that: its colours are
 * then at least 4.5 to 1 from that background, too. */
static const char alone[] = ".rdp { color: #1b1f24; }\n"
                            ".rdp-paper { fill: #ffffff; }\n"
                            "@media (prefers-color-scheme: dark) {\n"
                            ".rdp { color: #e4e7eb; }\n"
                            ".rdp-paper { fill: #15181d; }\n"
                            ".rdp-s0 { color: #6cb8ff; } .rdp-s1 { color: #ff9a5c; }\n"
                            ".rdp-s2 { color: #3fd0a4; } .rdp-s3 { color: #e79be2; }\n"
                            ".rdp-s4 { color: #e5c14d; } .rdp-s5 { color: #bcc2cb; }\n"
                            "}\n";

void rd_style_write(FILE *out)
{
    fprintf(out, "<style>\n%s%s</style>\n", rd_plot_css, alone);
}
