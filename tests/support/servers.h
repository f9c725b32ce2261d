/*
 * The servers that tests run on: the one of 18 or later that keybench itself would take, and the
 * system's own older one where there is one. KEYBENCH_TEST_BINDIRS (folders with ":" between) names
 * others.
 */
#ifndef KB_TESTS_SERVERS_H
#define KB_TESTS_SERVERS_H

#include "server/cluster.h"

enum { TEST_SERVERS_MAX = 8 };

typedef struct TestServers {
    ServerPrograms programs[TEST_SERVERS_MAX];
    size_t count;
} TestServers;

/* Ends the test as failed when there is no server of 18 or later, unless KEYBENCH_TEST_BINDIRS
 * names the servers. */
void test_servers_find(TestServers *servers);

/* A throwaway cluster; ends the test as failed, with the reason, when it does not start. */
Cluster *test_cluster_start(const char *bindir);
DbConn *test_connect(const Cluster *cluster);

#endif
