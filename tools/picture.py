#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Draws the rounds of a small trace as an animated SVG: a row of boxes for each step, an arrow for
each addition, and under each row the invariant that was asserted of it.

usage: picture.py TRACE.ndjson > PICTURE.svg
"""
import json
import sys
from html import escape

BOX, ROW, LEFT, TOP = 56, 104, 96, 34
STYLE = """
  svg { font: 16px ui-monospace, Menlo, Consolas, monospace; }
  .live { fill: #e8f1fd; stroke: #1f5fa8; stroke-width: 2; }
  .dead { fill: #f4f4f4; stroke: #b0b0b0; stroke-dasharray: 3 3; }
  .deadtext { fill: #8a8a8a; }
  .arrow { stroke: #c2571a; stroke-width: 1.6; fill: none; marker-end: url(#head); }
  .claim { font-size: 13px; fill: #333; }
  .label { font-size: 13px; fill: #666; }
  .verdict { font-size: 13px; font-weight: bold; fill: #1a7f37; }
  .violated { fill: #c0222b; }
  @keyframes appear { from { opacity: 0; } to { opacity: 1; } }
  @media (prefers-reduced-motion: no-preference) {
    .step { animation: appear 0.8s both; }
  }
"""


def read(path):
    with open(path, encoding="utf-8") as lines:
        records = [json.loads(line) for line in lines]
    run = next(r for r in records if r["record"] == "run")
    return run, [r for r in records if r["record"] == "step"]


def live_cells(step):
    claim = step["claim"]
    return {k * claim["stride"] for k in range(claim["count"])}


def middle(cell):
    return LEFT + cell * BOX + BOX / 2


def arrows(step, before):
    """From the cells that this round added, to where: a cell that was live and is so no more went to
    the live cell `width` below it."""
    width = step["round"]["width"]["value"]
    live = live_cells(step)
    for source in sorted(live_cells(before) - live):
        if source - width in live:
            yield source, source - width
    for cell in sorted(live):
        yield cell, cell


def draw_step(step, before, out):
    y = TOP + step["step"] * ROW
    out.append(f'<g class="step" style="animation-delay:{1.6 * step["step"]:.1f}s">')
    if before:
        for source, target in arrows(step, before):
            out.append(
                f'<path class="arrow" d="M{middle(source)} {y - ROW + 64} '
                f'L{middle(target)} {y - 5}"/>'
            )
    live = live_cells(step)
    label = f"half = {step['round']['width']['value']}" if before else "start"
    if before and step["round"]["width"]["name"] != "half":
        label = f"{step['round']['width']['name']} = {step['round']['width']['value']}"
    out.append(f'<text class="label" x="8" y="{y + 26}">{escape(label)}</text>')
    for cell, value in enumerate(step["state"]["cells"]):
        kind = "live" if cell in live else "dead"
        text = "" if kind == "live" else ' class="deadtext"'
        out.append(
            f'<rect class="{kind}" x="{LEFT + cell * BOX + 2}" y="{y}" width="{BOX - 4}" '
            f'height="40" rx="4"/><text{text} x="{middle(cell)}" y="{y + 26}" '
            f'text-anchor="middle">{escape(str(value))}</text>'
        )
    wrong = "" if step["verdict"] == "HOLDS" else " violated"
    out.append(
        f'<text x="{LEFT + 2}" y="{y + 59}"><tspan class="claim">{escape(step["statement"])}</tspan>'
        f'<tspan class="verdict{wrong}" dx="12">{escape(step["verdict"])}</tspan></text></g>'
    )


def main(path):
    run, steps = read(path)
    width = max(LEFT + run["n"] * BOX + 20, 640)
    height = TOP + len(steps) * ROW - 20
    title = f'{run["program"]} of {run["n"]} numbers, round by round'
    out = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" '
        f'height="{height}" role="img" aria-label="{escape(title)}"><title>{escape(title)}</title>',
        f"<style>{STYLE}</style>",
        '<defs><marker id="head" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" '
        'markerHeight="7" orient="auto"><path d="M0 0 L8 4 L0 8 z" fill="#c2571a"/></marker></defs>',
        f'<rect width="{width}" height="{height}" fill="#ffffff"/>',
    ]
    before = None
    for step in steps:
        draw_step(step, before, out)
        before = step
    out.append("</svg>")
    print("\n".join(out))


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    main(sys.argv[1])
