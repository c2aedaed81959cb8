// SPDX-License-Identifier: MIT
/* Threads that the program's host code makes, waits for, and joins to teams: how they order what is done in them. */
#include "device/sim/runtime/streams.h"

void *rd_sim_runtime_fork(void)
{
    rd_sim_runtime_enter();
    rd_sim_streams_may_come(true); /* what threads put into one stream is in no order */
    void *made = rd_sim_host_fork();
    rd_sim_runtime_leave();
    return made;
}

void rd_sim_runtime_join(void *ended)
{
    rd_sim_runtime_enter();
    rd_sim_host_join(ended);
    rd_sim_host_has_learnt();
    rd_sim_runtime_leave();
}

void *rd_sim_runtime_team_fork(void)
{
    if (rd_sim_runtime_is_inside())
        return NULL;
    rd_sim_runtime_enter();
    rd_sim_streams_may_come(true);
    void *team = rd_sim_host_team_fork();
    rd_sim_runtime_leave();
    return team;
}

void rd_sim_runtime_team_enter(void *team)
{
    rd_sim_runtime_enter();
    rd_sim_host_team_enter(team);
    rd_sim_runtime_leave();
}

void rd_sim_runtime_team_leave(void *team)
{
    rd_sim_runtime_enter();
    rd_sim_host_team_leave(team);
    rd_sim_runtime_leave();
}

void rd_sim_runtime_team_join(void *team)
{
    rd_sim_runtime_enter();
    rd_sim_host_team_join(team);
    rd_sim_host_has_learnt();
    rd_sim_runtime_leave();
}
