/*
 * The connection options of psql, shared by every command that talks to a server, and the rule that
 * decides between the user's server and a throwaway one.
 */
#ifndef KB_CLI_CONNECT_H
#define KB_CLI_CONNECT_H

#include "cli/options.h"
#include "db/conn.h"

#define CONNECT_OPTIONS(Struct, target)                                                            \
    {.kind = OPTION_TEXT,                                                                          \
     .name = "host",                                                                               \
     .letter = 'h',                                                                                \
     .offset = offsetof(Struct, target.host),                                                      \
     .argument = "HOST",                                                                           \
     .help = "server host or socket folder"},                                                      \
        {.kind = OPTION_TEXT,                                                                      \
         .name = "port",                                                                           \
         .letter = 'p',                                                                            \
         .offset = offsetof(Struct, target.port),                                                  \
         .argument = "PORT",                                                                       \
         .help = "server port"},                                                                   \
        {.kind = OPTION_TEXT,                                                                      \
         .name = "username",                                                                       \
         .letter = 'U',                                                                            \
         .offset = offsetof(Struct, target.user),                                                  \
         .argument = "NAME",                                                                       \
         .help = "user to connect as"},                                                            \
    {                                                                                              \
        .kind = OPTION_TEXT, .name = "dbname", .letter = 'd',                                      \
        .offset = offsetof(Struct, target.dbname), .argument = "DB|CONNINFO",                      \
        .help = "database, or a whole connection string"                                           \
    }

/* True when an option or PGHOST, PGHOSTADDR or PGSERVICE names a server; else a throwaway cluster
 * is meant. */
bool connect_names_server(const DbTarget *target);

/*
 * Forget what the environment says to libpq (PGOPTIONS, PGSSLMODE, PGTZ ...): it is meant for the
 * user's server, and must not change what a throwaway one measures. Before any thread is started.
 */
void connect_forget_environment(void);

#endif
