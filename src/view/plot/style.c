// SPDX-License-Identifier: MIT
#include "view/plot/panel.h"

/* All that is drawn takes its colour from `color`, by currentColor: a page changes that alone. No CSS
 * variables, which not all programs that draw SVG know. Series colours are at least 4.5 to 1 from the
 * background, light and dark, and are told apart by people who see no red or no green. */
static const char common[] =
    ".rdp{font-family:system-ui,-apple-system,'Segoe UI','Noto Sans','DejaVu Sans',sans-serif;"
    "font-variant-numeric:tabular-nums}"
    ".rdp text{fill:currentColor;stroke:none}"
    ".rdp-title{font-weight:600}"
    ".rdp-subtitle{opacity:.8}"
    ".rdp-key{font-size:13px}"
    ".rdp-caption{font-size:13px;font-weight:600}"
    ".rdp-label{font-size:12px;opacity:.85}"
    ".rdp-value,.rdp-level-name{font-size:11px}"
    ".rdp-grid{stroke:currentColor;stroke-width:1;opacity:.16}"
    ".rdp-minor{stroke:currentColor;stroke-width:1;opacity:.07}"
    ".rdp-axis{stroke:currentColor;stroke-width:1.2;opacity:.55}"
    ".rdp-line{fill:none;stroke:currentColor;stroke-width:2;stroke-linejoin:round}"
    ".rdp-stem{stroke:currentColor;stroke-width:3;stroke-linecap:butt}"
    ".rdp-mark{fill:currentColor;stroke:none}"
    ".rdp-level{stroke:currentColor;stroke-width:1.4;stroke-dasharray:6 4;opacity:.75}"
    ".rdp-s0{color:#0a62ab}.rdp-s1{color:#b5450b}.rdp-s2{color:#04704f}"
    ".rdp-s3{color:#8d3789}.rdp-s4{color:#7a5900}.rdp-s5{color:#4a4f57}"
    "@media (prefers-color-scheme:dark){"
    ".rdp-s0{color:#6cb8ff}.rdp-s1{color:#ff9a5c}.rdp-s2{color:#3fd0a4}"
    ".rdp-s3{color:#e79be2}.rdp-s4{color:#e5c14d}.rdp-s5{color:#bcc2cb}}";

static const char alone[] = ".rdp{color:#1b1f24}.rdp-paper{fill:#ffffff}"
                            "@media (prefers-color-scheme:dark){"
                            ".rdp{color:#e4e7eb}.rdp-paper{fill:#15181d}}";

void rd_style_write(FILE *out, bool inlined)
{
    fprintf(out, "<style>%s%s</style>\n", inlined ? "" : alone, common);
}
