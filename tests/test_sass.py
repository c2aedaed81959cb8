#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Checkpoints cost nothing: the machine code of a family as users run it is that of the same source
with its checkpoints taken out, byte for byte, for all types.

usage: test_sass.py ARCH UNIT     the family's unit for all types, as the build has made it: test_sass.py 90 cuda_dot_blocks.cu

A GPU's machine code is read from the ELF file that nvcc makes, so that no disassembler is needed.
Exits with 77, skipped, where there is no nvcc."""

import pathlib
import re
import shutil
import struct
import subprocess
import sys
import tempfile

KERNELS = pathlib.Path(__file__).resolve().parent.parent / "kernels"
SKIPPED = 77
CHECKPOINT = re.compile(r"\bCHECKPOINT(_LANE)?\([^;]*\);")
DEFINES_THEM = {"checkpoint.h", "observe.cuh"}


def copy_sources(folder, checkpoints):
    """Copies the kernels' sources, with or without checkpoints; returns how many were taken out."""
    folder.mkdir()
    taken = 0
    for source in KERNELS.iterdir():
        if source.suffix not in (".cu", ".h", ".cuh"):
            continue
        text = source.read_text(encoding="utf-8")
        if not checkpoints and source.name not in DEFINES_THEM:
            text, count = CHECKPOINT.subn("", text)
            taken += count
        (folder / source.name).write_text(text, encoding="utf-8")
    return taken


def compile_unit(nvcc, arch, folder, made, *options):
    """The unit with this folder's sources, compiled as meson.build has it; returns the ELF file's bytes."""
    unit = shutil.copy(made, folder)
    cubin = folder / "unit.cubin"
    subprocess.run([nvcc, "-cubin", unit, "-o", cubin, "-O3", "-I", folder, "-I", pathlib.Path(made).parent,
                    "-fmad=false", "-lineinfo", f"-arch=sm_{arch}", *options], check=True)
    return cubin.read_bytes()


def machine_code(elf):
    """{kernel: its instructions}: the sections .text.KERNEL of a 64-bit little-endian ELF file."""
    assert elf[:6] == b"\x7fELF\x02\x01", "no 64-bit little-endian ELF file"
    table, = struct.unpack_from("<Q", elf, 0x28)
    size, count, names = struct.unpack_from("<HHH", elf, 0x3A)
    sections = [struct.unpack_from("<IIQQQQ", elf, table + k * size) for k in range(count)]
    names_at = sections[names][4]
    code = {}
    for name_at, _, _, _, at, length in sections:
        name = elf[names_at + name_at:elf.index(b"\0", names_at + name_at)].decode()
        if name.startswith(".text."):
            code[name[len(".text."):]] = elf[at:at + length]
    return code


def main(arch, made):
    family = pathlib.Path(made).stem.removeprefix("cuda_")
    nvcc = shutil.which("nvcc")
    if not nvcc:
        print("skipped: there is no nvcc")
        return SKIPPED
    with tempfile.TemporaryDirectory(prefix="reductio-") as folder:
        with_them, without = pathlib.Path(folder, "with"), pathlib.Path(folder, "without")
        copy_sources(with_them, True)
        taken = copy_sources(without, False)
        assert taken > 0, "no checkpoint was found in the sources"
        plain = machine_code(compile_unit(nvcc, arch, with_them, made))
        bare = machine_code(compile_unit(nvcc, arch, without, made))
        observed = machine_code(compile_unit(nvcc, arch, with_them, made, "-DRD_OBSERVED"))
    assert plain, "no kernel was found in the object file"
    wrong = 0
    for kernel in sorted(plain.keys() | bare.keys()):
        if plain.get(kernel) != bare.get(kernel):
            wrong += 1
            print(f"{kernel}: its machine code is {len(plain.get(kernel, b''))} bytes, and other than the "
                  f"{len(bare.get(kernel, b''))} bytes without checkpoints")
    # Or the comparison could not tell: an observed build does have them.
    if all(code == observed[kernel.replace("cuda_", "cuda_observed_", 1)] for kernel, code in plain.items()):
        wrong += 1
        print(f"{family}: its observed build is the same, too")
    print(f"{family}, sm_{arch}: {len(plain)} kernels, {wrong} wrong")
    return wrong != 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
