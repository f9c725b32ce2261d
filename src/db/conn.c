#include "db/conn_private.h"

#include "base/mem.h"
#include "base/text.h"

#include <poll.h>
#include <stdlib.h>
#include <string.h>

static const uint64_t DEADLINE_DEFAULT_NS = 3600 * NS_PER_S;
static const uint64_t CONNECT_DEADLINE_NS = 10 * NS_PER_S;

/* What a session of ours looks like whatever the server's or the user's defaults are. */
static const char SESSION_SQL[] =
    "SELECT pg_catalog.set_config('datestyle', 'ISO', false),"
    " pg_catalog.set_config('intervalstyle', 'postgres', false),"
    " pg_catalog.set_config('extra_float_digits', '1', false),"
    " pg_catalog.set_config('bytea_output', 'hex', false),"
    " pg_catalog.set_config('standard_conforming_strings', 'on', false),"
    " pg_catalog.set_config('statement_timeout', '0', false),"
    " pg_catalog.set_config('lock_timeout', '0', false),"
    " pg_catalog.set_config('idle_in_transaction_session_timeout', '0', false),"
    " pg_catalog.set_config('default_transaction_read_only', 'off', false),"
    " pg_catalog.set_config('search_path', 'pg_catalog', false)";

static void
drop_notice(void *context, const PGresult *notice)
{
    DbConn *conn = context;
    const char *primary = PQresultErrorField(notice, PG_DIAG_MESSAGE_PRIMARY);
    char text[1024];

    if (conn->notice_listener == NULL)
        return;
    snprintf(text, sizeof(text), "%s", primary != NULL ? primary : "");
    text_fold(text);
    conn->notice_listener(conn->notice_context, text);
}

static char *
make_label(PGconn *pg)
{
    Text label = {0};
    const char *host = PQhost(pg), *port = PQport(pg), *name = PQdb(pg);

    text_printf(&label, "host \"%s\" port %s database \"%s\"", host != NULL ? host : "",
                port != NULL ? port : "", name != NULL ? name : "");
    return label.data;
}

static Status
poll_connection(DbConn *conn, Diag *diag)
{
    Instant start = instant_now();
    PostgresPollingStatusType step = PGRES_POLLING_WRITING;

    while (step != PGRES_POLLING_OK) {
        Status status;

        if (step == PGRES_POLLING_FAILED)
            return db_connection_failed(conn, "cannot connect to the server", diag);
        status = db_wait(conn, step == PGRES_POLLING_READING ? POLLIN : POLLOUT, start,
                         CONNECT_DEADLINE_NS, diag);
        if (status != STATUS_OK)
            return status;
        step = PQconnectPoll(conn->pg);
    }
    return STATUS_OK;
}

/* A server that looks whether we are still there ends our statement soon after we were killed. Not
 * every system can. */
static Status
ask_to_watch(DbConn *conn, Diag *diag)
{
    Status status = db_exec(
        conn, "SELECT pg_catalog.set_config('client_connection_check_interval', '1s', false)",
        DB_NO_PARAMS, diag);

    if (status != STATUS_DB_QUERY)
        return status;
    *diag = (Diag){0};
    return STATUS_OK;
}

/* Finish what PQconnectStartParams began. */
static Status
set_up(DbConn *conn, Diag *diag)
{
    Status status;

    if (conn->pg == NULL)
        BUG("out of memory for a connection");
    if (PQstatus(conn->pg) == CONNECTION_BAD)
        return db_connection_failed(conn, "cannot connect to the server", diag);
    conn->label = make_label(conn->pg);
    status = poll_connection(conn, diag);
    if (status != STATUS_OK)
        return status;
    free(conn->label);
    conn->label = make_label(conn->pg);
    conn->backend_pid = PQbackendPID(conn->pg);
    PQsetNoticeReceiver(conn->pg, drop_notice, conn);
    if (PQsetnonblocking(conn->pg, 1) != 0)
        return db_connection_failed(conn, "cannot use the connection", diag);
    status = db_exec(conn, SESSION_SQL, DB_NO_PARAMS, diag);
    if (status == STATUS_OK)
        status = ask_to_watch(conn, diag);
    return status;
}

static Status
connect_and_set_up(DbConn *conn, const DbTarget *target, Diag *diag)
{
    const char *const keywords[] = {
        "host", "port", "user", "fallback_application_name", "client_encoding", "dbname", NULL};
    const char *const values[] = {target->host, target->port,   target->user, "keybench",
                                  "UTF8",       target->dbname, NULL};

    conn->pg = PQconnectStartParams(keywords, values, 1);
    return set_up(conn, diag);
}

Status
db_open(const DbTarget *target, DbConn **conn, Diag *diag)
{
    DbConn *opened = mem_new(1, sizeof(*opened));
    Status status;

    opened->deadline_ns = DEADLINE_DEFAULT_NS;
    status = connect_and_set_up(opened, target, diag);
    if (status == STATUS_OK) {
        *conn = opened;
        return STATUS_OK;
    }
    db_close(opened);
    return status;
}

/* The options of a connection that lead to the same server as the same user: those that it has,
 * with the host and port that it found. NULL ends them. */
static void
copy_options(const DbConn *conn, const PQconninfoOption *options, const char **keywords,
             const char **values, size_t room)
{
    size_t count = 0;

    for (const PQconninfoOption *option = options; option != NULL && option->keyword != NULL;
         option++) {
        bool of_service = strcmp(option->keyword, "service") == 0;
        const char *value = option->val;

        if (strcmp(option->keyword, "host") == 0)
            value = PQhost(conn->pg);
        else if (strcmp(option->keyword, "hostaddr") == 0 && value != NULL)
            value = PQhostaddr(conn->pg);
        else if (strcmp(option->keyword, "port") == 0)
            value = PQport(conn->pg);
        if (value == NULL || value[0] == '\0' || of_service)
            continue;
        if (count + 1 == room)
            BUG("libpq has more than %zu options", room);
        keywords[count] = option->keyword;
        values[count++] = value;
    }
}

Status
db_open_like(const DbConn *conn, DbConn **twin, Diag *diag)
{
    PQconninfoOption *options = PQconninfo(conn->pg);
    const char *keywords[64] = {NULL}, *values[64] = {NULL};
    DbConn *opened = mem_new(1, sizeof(*opened));
    Status status;

    copy_options(conn, options, keywords, values, ARRAY_LEN(keywords));
    opened->deadline_ns = conn->deadline_ns;
    opened->uninterruptible = conn->uninterruptible;
    opened->pg = PQconnectStartParams(keywords, values, 0);
    status = set_up(opened, diag);
    PQconninfoFree(options);
    if (status == STATUS_OK)
        *twin = opened;
    else
        db_close(opened);
    return status;
}

Status
db_reconnect(DbConn *conn, Diag *diag)
{
    PQconninfoOption *options = PQconninfo(conn->pg);
    const char *keywords[64] = {NULL}, *values[64] = {NULL};
    PGconn *anew;

    copy_options(conn, options, keywords, values, ARRAY_LEN(keywords));
    anew = PQconnectStartParams(keywords, values, 0);
    PQconninfoFree(options);
    PQfinish(conn->pg);
    free(conn->label);
    conn->label = NULL;
    conn->pg = anew;
    return set_up(conn, diag);
}

void
db_close(DbConn *conn)
{
    if (conn == NULL)
        return;
    PQfinish(conn->pg);
    free(conn->label);
    free(conn);
}

int
db_server_version(const DbConn *conn)
{
    return PQserverVersion(conn->pg);
}

int
db_backend_pid(const DbConn *conn)
{
    return conn->backend_pid;
}

bool
db_is_usable(const DbConn *conn)
{
    return PQtransactionStatus(conn->pg) == PQTRANS_IDLE;
}

int
db_client_version(void)
{
    return PQlibVersion();
}

const char *
db_label(const DbConn *conn)
{
    return conn->label;
}

void
db_set_deadline(DbConn *conn, uint64_t deadline_ns)
{
    conn->deadline_ns = deadline_ns;
}

void
db_set_uninterruptible(DbConn *conn, bool uninterruptible)
{
    conn->uninterruptible = uninterruptible;
}

void
db_set_notice_listener(DbConn *conn, void (*listener)(void *context, const char *text),
                       void *context)
{
    conn->notice_listener = listener;
    conn->notice_context = context;
}

static char *
own_quoted(char *quoted)
{
    char *copy;

    if (quoted == NULL)
        BUG("a name or literal that is not UTF-8 reached the server layer");
    copy = mem_text(quoted);
    PQfreemem(quoted);
    return copy;
}

char *
db_quote_name(DbConn *conn, const char *name)
{
    return own_quoted(PQescapeIdentifier(conn->pg, name, strlen(name)));
}

char *
db_quote_literal(DbConn *conn, const char *value)
{
    return own_quoted(PQescapeLiteral(conn->pg, value, strlen(value)));
}
