#include "lab/scene.h"

#include "base/clock.h"
#include "base/mem.h"
#include "base/text.h"
#include "db/wal.h"
#include "lab/needs.h"
#include "lab/property.h"
#include "lab/shutdown.h"
#include "lab/target.h"

#include <stdlib.h>
#include <string.h>

static const uint64_t CLEANING_DEADLINE_NS = 60 * NS_PER_S;

typedef struct SceneServer {
    struct SceneServer *next;
    const char *name;
    Cluster *cluster; /* NULL: the user's server */
    DbTarget target;
    struct Site *sites;
} SceneServer;

/* One database of one server. */
typedef struct Site {
    struct Site *next;
    const char *name;     /* as the chapter calls it */
    const char *database; /* NULL: the one that the server's target names */
    DbTarget target;
    DbConn *keeper; /* NULL: not open */
    Session *sessions;
    bool made; /* its schema is there, or was begun */
    bool new;  /* the chapter's setup has not run here */
} Site;

struct Scene {
    const SceneOptions *options;
    Arena *arena;
    char schema[PROPERTY_NAME_SIZE];
    SceneServer *servers; /* main is the last */
    SceneServer *server;
    Site *site;
    const char *session;
};

const char *
scene_schema(const Scene *scene)
{
    return scene->schema;
}

const DbTarget *
scene_target(const Scene *scene)
{
    return &scene->site->target;
}

/* ---- Connections ---- */

static Status
open_keeper(Site *site, Diag *diag)
{
    if (site->keeper != NULL)
        return STATUS_OK;
    return db_open(&site->target, &site->keeper, diag);
}

/* The claim's schema first, then those of the extensions that are installed. */
static Status
set_search_path(DbConn *conn, const char *schema, Diag *diag)
{
    static const char SQL[] =
        "SELECT set_config('search_path', concat_ws(', ', $1::text, (SELECT string_agg(DISTINCT"
        " quote_ident(n.nspname), ', ') FROM pg_extension e JOIN pg_namespace n"
        " ON n.oid = e.extnamespace WHERE n.nspname <> 'pg_catalog')), false)";

    return db_exec(conn, SQL, DB_PARAMS(schema), diag);
}

static Session *
find_session(const Site *site, const char *name)
{
    for (Session *session = site->sessions; session != NULL; session = session->next)
        if (strcmp(session->name, name) == 0)
            return session;
    return NULL;
}

Status
scene_session(Scene *scene, Session **session, Diag *diag)
{
    Site *site = scene->site;
    Session *found = find_session(site, scene->session);
    Status status = STATUS_OK;

    if (found == NULL) {
        found = arena_alloc(scene->arena, 1, sizeof(*found));
        found->name = scene->session;
        found->next = site->sessions;
        site->sessions = found;
    }
    if (found->conn == NULL) {
        status = db_open(&site->target, &found->conn, diag);
        if (status == STATUS_OK)
            status = set_search_path(found->conn, scene->schema, diag);
    }
    if (status == STATUS_OK)
        *session = found;
    return status;
}

Status
scene_keeper(Scene *scene, DbConn **keeper, Diag *diag)
{
    Status status = open_keeper(scene->site, diag);

    if (status == STATUS_OK)
        *keeper = scene->site->keeper;
    return status;
}

static void
close_session(Session *session)
{
    if (session->conn != NULL && session->busy)
        db_cancel(session->conn);
    db_close(session->conn);
    session->conn = NULL;
    session->busy = false;
    session->waiting = NULL;
}

void
scene_disconnect(Scene *scene)
{
    Session *session = find_session(scene->site, scene->session);

    if (session != NULL)
        close_session(session);
}

/* A server that ends takes its connections with it. */
static void
close_connections(SceneServer *server)
{
    for (Site *site = server->sites; site != NULL; site = site->next) {
        for (Session *session = site->sessions; session != NULL; session = session->next)
            close_session(session);
        db_close(site->keeper);
        site->keeper = NULL;
    }
}

/* ---- Moving ---- */

Status
scene_go_session(Scene *scene, const char *name, Diag *diag)
{
    Session *session;

    scene->session = name;
    return scene_session(scene, &session, diag);
}

/* A site's schema, and the extensions that the claim needs where the database itself is ours. */
static Status
furnish(Scene *scene, Site *site, bool ours, Diag *diag)
{
    Status status = open_keeper(site, diag);

    if (status == STATUS_OK && ours)
        status = needs_install(site->keeper, scene->options->claim, diag);
    site->made = true;
    if (status == STATUS_OK)
        status = schema_make(site->keeper, scene->schema, diag);
    site->new = status == STATUS_OK;
    return status;
}

static Site *
add_site(Scene *scene, SceneServer *server, const char *name)
{
    Site *site = arena_alloc(scene->arena, 1, sizeof(*site));

    site->name = name;
    site->target = server->target;
    site->next = server->sites;
    server->sites = site;
    return site;
}

static Site *
find_site(const SceneServer *server, const char *name)
{
    for (Site *site = server->sites; site != NULL; site = site->next)
        if (strcmp(site->name, name) == 0)
            return site;
    return NULL;
}

static Status
make_site(Scene *scene, const char *name, Site **made, Diag *diag)
{
    Site *main_site = find_site(scene->server, "main");
    Site *site;
    Status status = open_keeper(main_site, diag);

    if (status != STATUS_OK)
        return status;
    site = add_site(scene, scene->server, name);
    site->database = arena_printf(scene->arena, "%s_%s", scene->schema, name);
    site->target.dbname = target_dbname(scene->arena, scene->server->target.dbname, site->database);
    status = database_make(main_site->keeper, site->database, diag);
    if (status == STATUS_OK)
        status = furnish(scene, site, true, diag);
    if (status == STATUS_OK)
        *made = site;
    return status;
}

Status
scene_go_database(Scene *scene, const char *name, Diag *diag)
{
    Site *site = find_site(scene->server, name);
    Status status = STATUS_OK;

    if (site == NULL)
        status = make_site(scene, name, &site, diag);
    if (status == STATUS_OK)
        scene->site = site;
    scene->session = "main";
    return status;
}

static SceneServer *
find_server(const Scene *scene, const char *name)
{
    for (SceneServer *server = scene->servers; server != NULL; server = server->next)
        if (strcmp(server->name, name) == 0)
            return server;
    return NULL;
}

static SceneServer *
add_server(Scene *scene, const char *name)
{
    SceneServer *server = arena_alloc(scene->arena, 1, sizeof(*server));

    server->name = name;
    server->next = scene->servers;
    scene->servers = server;
    return server;
}

static Status
start_server(Scene *scene, const Step *step, SceneServer **started, Diag *diag)
{
    ClusterSetting *settings = arena_alloc(scene->arena, step->setting_count, sizeof(*settings));
    ClusterOptions options = {.bindir = scene->options->bindir,
                              .settings = settings,
                              .setting_count = step->setting_count,
                              .data_checksums = -1};
    SceneServer *server = add_server(scene, step->text);
    Status status;

    for (size_t i = 0; i < step->setting_count; i++) {
        char *name = arena_text(scene->arena, step->settings[i]);
        char *equals = strchr(name, '=');

        *equals = '\0';
        settings[i] = (ClusterSetting){name, equals + 1};
    }
    status = cluster_start(&options, &server->cluster, diag);
    if (status != STATUS_OK)
        return status;
    server->target = *cluster_target(server->cluster);
    *started = server;
    return furnish(scene, add_site(scene, server, "main"), true, diag);
}

Status
scene_go_server(Scene *scene, const Step *step, Diag *diag)
{
    SceneServer *server = find_server(scene, step->text);
    Status status = STATUS_OK;

    if (server == NULL)
        status = start_server(scene, step, &server, diag);
    if (status != STATUS_OK)
        return status;
    scene->server = server;
    return scene_go_database(scene, "main", diag);
}

bool
scene_take_new(Scene *scene)
{
    bool new = scene->site->new;

    scene->site->new = false;
    return new;
}

Status
scene_open(const SceneOptions *options, Scene **scene, Diag *diag)
{
    Arena *arena = arena_new();
    Scene *opened = arena_alloc(arena, 1, sizeof(*opened));
    Status status;

    opened->options = options;
    opened->arena = arena;
    property_name(opened->schema);
    opened->session = "main";
    opened->server = add_server(opened, "main");
    opened->server->cluster = options->cluster;
    opened->server->target = *options->target;
    opened->site = add_site(opened, opened->server, "main");
    status = furnish(opened, opened->site, false, diag);
    if (status == STATUS_OK)
        *scene = opened;
    else
        scene_close(opened);
    return status;
}

/* A session within a transaction publishes when it ends. */
static Status
publish(DbConn *conn, Diag *diag)
{
    return conn != NULL && db_is_usable(conn) ? wal_publish_own(conn, diag) : STATUS_OK;
}

Status
scene_publish(Scene *scene, Diag *diag)
{
    Status status = STATUS_OK;

    for (Site *site = scene->server->sites; status == STATUS_OK && site != NULL;
         site = site->next) {
        status = publish(site->keeper, diag);
        for (Session *session = site->sessions; status == STATUS_OK && session != NULL;
             session = session->next)
            status = publish(session->conn, diag);
    }
    return status;
}

/* ---- Who waits ---- */

Session *
scene_find_waiting(const Scene *scene, const char *name)
{
    for (SceneServer *server = scene->servers; server != NULL; server = server->next)
        for (Site *site = server->sites; site != NULL; site = site->next)
            for (Session *session = site->sessions; session != NULL; session = session->next)
                if (session->waiting != NULL && strcmp(session->name, name) == 0)
                    return session;
    return NULL;
}

static const Session *
find_backend(const SceneServer *server, int64_t pid)
{
    for (Site *site = server->sites; site != NULL; site = site->next)
        for (Session *session = site->sessions; session != NULL; session = session->next)
            if (session->conn != NULL && db_backend_pid(session->conn) == pid)
                return session;
    return NULL;
}

Status
scene_waits_for(Scene *scene, const Session *session, bool *waits, const Session **holder,
                Diag *diag)
{
    DbConn *keeper = NULL;
    DbRows *rows = NULL;
    char pid[24];
    Status status = scene_keeper(scene, &keeper, diag);

    *waits = false;
    *holder = NULL;
    snprintf(pid, sizeof(pid), "%d", db_backend_pid(session->conn));
    if (status == STATUS_OK)
        status = db_query(keeper, "SELECT unnest(pg_blocking_pids($1)) AS pid", DB_PARAMS(pid),
                          DB_ANY_ROWS, &rows, diag);
    for (size_t row = 0; status == STATUS_OK && row < db_rows_count(rows); row++) {
        int64_t blocking = 0;

        *waits = true;
        status = db_cell_i64(rows, row, "pid", &blocking, diag);
        if (status == STATUS_OK && *holder == NULL)
            *holder = find_backend(scene->server, blocking);
    }
    db_rows_free(rows);
    return status;
}

/* ---- The end of a server, and a new beginning ---- */

Status
scene_crash(Scene *scene, Diag *diag)
{
    SceneServer *server = scene->server;
    Status status;

    close_connections(server);
    scene->session = "main";
    status = cluster_crash(server->cluster, diag);
    if (status == STATUS_OK)
        status = cluster_restart(server->cluster, diag);
    return status;
}

static Status
read_data_folder(Site *site, Text *folder, Diag *diag)
{
    DbRows *rows = NULL;
    Status status = open_keeper(site, diag);

    if (status == STATUS_OK)
        status = db_query(site->keeper, "SELECT current_setting('data_directory') AS folder",
                          DB_NO_PARAMS, DB_ONE_ROW, &rows, diag);
    if (status == STATUS_OK)
        text_add(folder, db_cell(rows, 0, "folder"));
    db_rows_free(rows);
    return status;
}

Status
scene_restart(Scene *scene, Diag *diag)
{
    SceneServer *server = scene->server;
    Text folder = {0};
    Status status = read_data_folder(scene->site, &folder, diag);

    if (status == STATUS_OK) {
        close_connections(server);
        scene->session = "main";
        status = shutdown_immediate(folder.data, diag);
    }
    if (status == STATUS_OK) /* it has gone by itself; its guard takes note */
        status = cluster_crash(server->cluster, diag);
    if (status == STATUS_OK)
        status = cluster_restart(server->cluster, diag);
    text_release(&folder);
    return status;
}

/* ---- Closing ---- */

static void
report_left(const Scene *scene, const char *name, const Diag *diag)
{
    Text text = {0};

    text_printf(&text, "\"%s\" is left behind: %s", name, diag->message);
    if (scene->options->notice != NULL)
        scene->options->notice(scene->options->context, text.data);
    text_release(&text);
}

/* Drop what the scene made on a server that stays; *left says what is still there when that fails.
 */
static Status
drop_made(Scene *scene, SceneServer *server, const char **left, Diag *diag)
{
    Site *main_site = find_site(server, "main");
    Status status = open_keeper(main_site, diag);

    *left = scene->schema;
    if (status != STATUS_OK)
        return status;
    db_set_uninterruptible(main_site->keeper, true);
    db_set_deadline(main_site->keeper, CLEANING_DEADLINE_NS);
    for (Site *site = server->sites; status == STATUS_OK && site != NULL; site = site->next) {
        if (site->database == NULL)
            continue;
        *left = site->database;
        status = database_drop(main_site->keeper, site->database, diag);
    }
    if (status == STATUS_OK) {
        *left = scene->schema;
        status = schema_drop(main_site->keeper, scene->schema, diag);
    }
    return status;
}

/* A throwaway server goes as a whole, so what fails there is no news. */
static void
clean_main_server(Scene *scene, SceneServer *server)
{
    Site *main_site = find_site(server, "main");
    const char *left = NULL;
    Diag diag = {0};
    Status status;

    if (!main_site->made)
        return;
    status = drop_made(scene, server, &left, &diag);
    if (status == STATUS_SERVER) { /* the keeper's connection was cut */
        db_close(main_site->keeper);
        main_site->keeper = NULL;
        status = drop_made(scene, server, &left, &diag);
    }
    if (status != STATUS_OK && server->cluster == NULL)
        report_left(scene, left, &diag);
}

static void
close_sessions(const SceneServer *server)
{
    for (Site *site = server->sites; site != NULL; site = site->next)
        for (Session *session = site->sessions; session != NULL; session = session->next)
            close_session(session);
}

void
scene_close(Scene *scene)
{
    if (scene == NULL)
        return;
    /* All sessions first: one may hold what another waits for. */
    for (SceneServer *server = scene->servers; server != NULL; server = server->next)
        close_sessions(server);
    for (SceneServer *server = scene->servers; server != NULL; server = server->next) {
        if (strcmp(server->name, "main") == 0)
            clean_main_server(scene, server);
        close_connections(server);
        if (strcmp(server->name, "main") != 0)
            cluster_stop(server->cluster);
    }
    arena_free(scene->arena);
}
