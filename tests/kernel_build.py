# SPDX-License-Identifier: MIT
"""Base of tests that change kernels: compiles a family, and links the program, as the build folder does."""
import json
import pathlib
import shlex
import shutil
import subprocess

LINKER = ['-fuse-ld=gold'] if shutil.which('ld.gold') else []  # takes half as long


class KernelBuild:
    """A build folder. `library` is one of its libraries of kernels: sim_kernels_u64, sim_traced_kernels_i32."""

    def __init__(self, folder):
        self.folder = pathlib.Path(folder).resolve()
        self.reductio = self.folder / 'src/cli/reductio'
        text = (self.folder / 'compile_commands.json').read_text(encoding='utf-8')
        self.compilers = {entry['output']: shlex.split(entry['command']) for entry in json.loads(text)}
        commands = subprocess.run(['ninja', '-C', self.folder, '-t', 'commands', 'src/cli/reductio'],
                                  capture_output=True, text=True, check=True).stdout
        self.linker = shlex.split(commands.strip().splitlines()[-1])

    def command(self, library):
        """The compiler's words for the library's one unit, of all its families; none where there is no such library."""
        folder = 'kernels/lib%s.a.p/' % library
        return next((list(words) for output, words in self.compilers.items() if output.startswith(folder)), None)

    def has(self, library):
        return self.command(library) is not None

    def compile(self, library, family, sources, target, options=()):
        """Compiles the family alone with the sources of that folder; false where the compiler refuses them."""
        unit = pathlib.Path(target).with_suffix('.c')
        unit.write_text('#include "%s.cu"\n' % family, encoding='utf-8')
        command = self.command(library)
        for option in '-MF', '-MQ':
            del command[command.index(option):command.index(option) + 2]
        command.remove('-MD')
        if pathlib.Path(command[0]).name == 'ccache':  # has not seen it, and will not see it again
            del command[0]
        command[command.index('-o') + 1] = str(target)
        command[command.index('-c') + 1] = str(unit)
        first = next(k for k, word in enumerate(command) if word.startswith('-I'))
        command = command[:first] + ['-I%s' % sources] + command[first:] + [*options, '-w']
        return subprocess.run(command, cwd=self.folder, stderr=subprocess.DEVNULL).returncode == 0

    def link(self, objects, target, options=()):
        """Links the objects in front of the archives, so that their symbols stand in for those of the archives' members."""
        at = self.linker.index('-o')
        words = ['-o', str(target), *map(str, objects), *options, '-Wl,-z,muldefs', *LINKER]
        subprocess.run(self.linker[:at] + words + self.linker[at + 2:], cwd=self.folder, check=True)
