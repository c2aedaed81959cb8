// SPDX-License-Identifier: MIT
/* Compilation databases, as CMake, Meson and Bear write them: https://clang.llvm.org/docs/JSONCompilationDatabase.html */
#ifndef RD_CLI_COMPILE_COMMANDS_H
#define RD_CLI_COMPILE_COMMANDS_H

/* Takes `--compile-commands FILE` out of the arguments, if it is there, and puts the options in their place that the database
 * has for the files which the arguments name; where they name none, its files, too. *argv is then another list, for the life of
 * the process. Returns how many arguments there are. Complains and exits where the file can't be read. */
int rd_cli_compile_commands_take(int argc, char ***argv);

#endif
