// SPDX-License-Identifier: MIT
/* Programs that are linked with MPI, as one process of their own. */
#include "check/program.h"

#include <link.h>
#include <stdlib.h>
#include <string.h>

static int is_of_mpi(struct dl_phdr_info *info, size_t size, void *self)
{
    const char *slash = strrchr(info->dlpi_name, '/');
    (void)size;
    (void)self;
    return slash && strncmp(slash + 1, "libmpi.so", 9) == 0;
}

void rd_check_program_mpi(const struct rd_sandbox_options *sandbox)
{
    /* It is alone, and has neither sockets nor network interfaces. */
    static const char *const parameters[][2] = {
        {"OMPI_MCA_ess_singleton_isolated", "1"},
        {"OMPI_MCA_btl", "self"},
        {"OMPI_MCA_if", "^posix_ipv4,linux_ipv6"},
    };
    if (sandbox->off || getenv("OMPI_COMM_WORLD_SIZE") || dl_iterate_phdr(is_of_mpi, NULL) == 0)
        return;
    for (size_t k = 0; k < sizeof parameters / sizeof *parameters; k++)
        setenv(parameters[k][0], parameters[k][1], 0);
}
