#include "support/servers.h"

#include "base/mem.h"

#include <stdlib.h>
#include <string.h>

static void
give_up(const Diag *diag)
{
    printf("Bail out! %s\n", diag->message);
    diag_print(diag, stderr);
    exit(1);
}

static void
add(TestServers *servers, const char *bindir, int min_major)
{
    Diag diag = {0};
    ServerPrograms *programs = &servers->programs[servers->count];

    if (servers->count == TEST_SERVERS_MAX)
        return;
    if (server_find(bindir, min_major, programs, &diag) != STATUS_OK)
        give_up(&diag);
    for (size_t i = 0; i < servers->count; i++)
        if (strcmp(servers->programs[i].bindir, programs->bindir) == 0)
            return;
    servers->count++;
}

/* The newest older server that the system itself has. */
static void
add_system_server(TestServers *servers)
{
    char bindir[64];

    for (int major = 17; major >= 14; major--) {
        char program[sizeof(bindir) + sizeof("/postgres")];
        FILE *there;

        snprintf(bindir, sizeof(bindir), "/usr/lib/postgresql/%d/bin", major);
        snprintf(program, sizeof(program), "%s/postgres", bindir);
        there = fopen(program, "r");
        if (there == NULL)
            continue;
        fclose(there);
        add(servers, bindir, 14);
        return;
    }
}

void
test_servers_find(TestServers *servers)
{
    const char *given = getenv("KEYBENCH_TEST_BINDIRS");
    char *list, *rest, *bindir;

    *servers = (TestServers){0};
    if (given == NULL || given[0] == '\0') {
        add(servers, NULL, 18);
        add_system_server(servers);
        return;
    }
    list = rest = mem_text(given);
    while ((bindir = strsep(&rest, ":")) != NULL)
        add(servers, bindir, 13);
    free(list);
}

Cluster *
test_cluster_start(const char *bindir)
{
    ClusterOptions options = {.bindir = bindir, .data_checksums = -1};
    Cluster *cluster = NULL;
    Diag diag = {0};

    if (cluster_start(&options, &cluster, &diag) != STATUS_OK)
        give_up(&diag);
    return cluster;
}

DbConn *
test_connect(const Cluster *cluster)
{
    DbConn *conn = NULL;
    Diag diag = {0};

    if (db_open(cluster_target(cluster), &conn, &diag) != STATUS_OK)
        give_up(&diag);
    return conn;
}
