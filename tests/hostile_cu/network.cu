// SPDX-License-Identifier: MIT
#include "hostile.h"
#include <arpa/inet.h>
#include <sys/socket.h>
#include <sys/un.h>

/* Connects to where its test listens. */
HOSTILE()
{
    struct sockaddr_in address = {};
    address.sin_family = AF_INET;
    address.sin_port = htons((unsigned short)atoi(given("HOSTILE_PORT")));
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    int tcp = socket(AF_INET, SOCK_STREAM, 0), udp = socket(AF_INET, SOCK_DGRAM, 0);
    tell("tcp", tcp < 0 ? -1 : connect(tcp, (struct sockaddr *)&address, sizeof address));
    tell("udp", udp < 0 ? -1 : sendto(udp, "x", 1, 0, (struct sockaddr *)&address, sizeof address));
    struct sockaddr_un path = {};
    path.sun_family = AF_UNIX;
    snprintf(path.sun_path, sizeof path.sun_path, "%s", given("HOSTILE_SOCKET"));
    int local = socket(AF_UNIX, SOCK_STREAM, 0);
    tell("unix", local < 0 ? -1 : connect(local, (struct sockaddr *)&path, sizeof path));
    return 0;
}

int main(void)
{
    return IN_MAIN ? hostile() : 0;
}
