#include "db/conn_private.h"

#include "base/interrupt.h"
#include "base/mem.h"
#include "base/text.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>

static const uint64_t DEADLINE_DEFAULT_NS = 3600 * NS_PER_S;
static const uint64_t CONNECT_DEADLINE_NS = 10 * NS_PER_S;

enum { NAP_MS = 50 };

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

static Status
no_answer(const DbConn *conn, uint64_t deadline_ns, Diag *diag)
{
    diag_set(diag, STATUS_SERVER, "no answer within %llu s from %s",
             (unsigned long long)(deadline_ns / NS_PER_S), conn->label);
    diag_hint(diag, "Is the server overloaded, or the network to it cut?");
    return diag->status;
}

/* Wait until the socket has `events`, the deadline of `start` passes, or an interrupt is requested.
 * In naps: the descriptor of interrupts, with all writers waiting on it, would be a lock between
 * them. */
static Status
wait_for(DbConn *conn, short events, Instant start, uint64_t deadline_ns, Diag *diag)
{
    struct pollfd end = {.fd = PQsocket(conn->pg), .events = events};
    int ready;

    while ((ready = poll(&end, 1, NAP_MS)) <= 0) {
        if (ready < 0 && errno != EINTR)
            return diag_set(diag, STATUS_IO, "cannot wait for the server: %s", strerror(errno));
        if (!conn->uninterruptible && interrupt_requested())
            return interrupt_status(diag);
        if (instant_elapsed_ns(start) >= deadline_ns)
            return no_answer(conn, deadline_ns, diag);
    }
    return STATUS_OK;
}

static void
copy_folded(char *target, size_t size, const char *text)
{
    if (text == NULL)
        return;
    snprintf(target, size, "%s", text);
    text_fold(target);
}

Status
db_connection_failed(DbConn *conn, const char *what, Diag *diag)
{
    char message[sizeof(diag->message) - 128];

    message[0] = '\0';
    copy_folded(message, sizeof(message), PQerrorMessage(conn->pg));
    return diag_set(diag, STATUS_SERVER, "%s: %s", what,
                    message[0] != '\0' ? message : "no reason given");
}

Status
db_connection_lost(DbConn *conn, Diag *diag)
{
    return db_connection_failed(conn, "lost the connection to the server", diag);
}

Status
db_not_sent(DbConn *conn, Diag *diag)
{
    if (PQstatus(conn->pg) != CONNECTION_OK)
        return db_connection_lost(conn, diag);
    return db_connection_failed(conn, "cannot send a statement", diag);
}

Status
db_statement_failed(DbConn *conn, const PGresult *reply, Diag *diag)
{
    const char *sqlstate = PQresultErrorField(reply, PG_DIAG_SQLSTATE);

    if (PQstatus(conn->pg) != CONNECTION_OK || reply == NULL)
        return db_connection_lost(conn, diag);
    diag_set(diag, STATUS_DB_QUERY, "the server refused a statement");
    copy_folded(diag->message, sizeof(diag->message),
                PQresultErrorField(reply, PG_DIAG_MESSAGE_PRIMARY));
    copy_folded(diag->detail, sizeof(diag->detail),
                PQresultErrorField(reply, PG_DIAG_MESSAGE_DETAIL));
    copy_folded(diag->hint, sizeof(diag->hint), PQresultErrorField(reply, PG_DIAG_MESSAGE_HINT));
    copy_folded(diag->sqlstate, sizeof(diag->sqlstate), sqlstate);
    return diag->status;
}

uint64_t
db_touched_rows(PGresult *reply)
{
    return strtoull(PQcmdTuples(reply), NULL, 10);
}

static void
drop_notice(void *context, const PGresult *notice)
{
    DbConn *conn = context;
    char text[1024];

    if (conn->notice_listener == NULL)
        return;
    text[0] = '\0';
    copy_folded(text, sizeof(text), PQresultErrorField(notice, PG_DIAG_MESSAGE_PRIMARY));
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
        status = wait_for(conn, step == PGRES_POLLING_READING ? POLLIN : POLLOUT, start,
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

Status
db_check_interrupt(const DbConn *conn, Diag *diag)
{
    if (!conn->uninterruptible && interrupt_requested())
        return interrupt_status(diag);
    return STATUS_OK;
}

Status
db_flush(DbConn *conn, Instant start, Diag *diag)
{
    int left;

    while ((left = PQflush(conn->pg)) > 0) {
        Status status = wait_for(conn, POLLIN | POLLOUT, start, conn->deadline_ns, diag);

        if (status != STATUS_OK)
            return status;
        if (PQconsumeInput(conn->pg) == 0) /* read, or both sides may wait for each other */
            return db_connection_lost(conn, diag);
    }
    if (left < 0)
        return db_connection_lost(conn, diag);
    return STATUS_OK;
}

Status
db_next_result(DbConn *conn, Instant start, uint64_t deadline_ns, PGresult **reply, Diag *diag)
{
    while (PQisBusy(conn->pg)) {
        Status status = wait_for(conn, POLLIN, start, deadline_ns, diag);

        if (status != STATUS_OK)
            return status;
        if (PQconsumeInput(conn->pg) == 0)
            return db_connection_lost(conn, diag);
    }
    *reply = PQgetResult(conn->pg);
    return STATUS_OK;
}

void
db_cancel_and_drain(DbConn *conn)
{
    bool uninterruptible = conn->uninterruptible;
    Instant start = instant_now();
    PGresult *reply = NULL;
    Diag ignored;

    if (!db_cancel(conn)) /* then its end would be waited for in vain */
        return;
    conn->uninterruptible = true;
    while (db_next_result(conn, start, DB_CANCEL_DEADLINE_NS, &reply, &ignored) == STATUS_OK) {
        ExecStatusType outcome = PQresultStatus(reply);

        if (reply == NULL)
            break;
        PQclear(reply);
        if (outcome == PGRES_COPY_IN && PQputCopyEnd(conn->pg, "interrupted") < 0)
            break;
        if (PQstatus(conn->pg) != CONNECTION_OK)
            break;
    }
    conn->uninterruptible = uninterruptible;
}

Status
db_collect(DbConn *conn, Instant start, PGresult **reply, Diag *diag)
{
    PGresult *first = NULL, *next = NULL;
    Status status = db_next_result(conn, start, conn->deadline_ns, &first, diag);

    while (status == STATUS_OK && first != NULL && PQresultStatus(first) != PGRES_COPY_IN) {
        status = db_next_result(conn, start, conn->deadline_ns, &next, diag);
        if (status != STATUS_OK || next == NULL)
            break;
        PQclear(next);
    }
    if (status == STATUS_OK)
        *reply = first;
    else
        PQclear(first);
    return status;
}

Status
db_run_statement(DbConn *conn, const char *sql, DbParams params, PGresult **reply, Diag *diag)
{
    Instant start = instant_now();
    Status status = db_check_interrupt(conn, diag);

    if (status != STATUS_OK)
        return status;
    if (PQsendQueryParams(conn->pg, sql, params.count, NULL, params.values, NULL, NULL, 0) == 0)
        return db_not_sent(conn, diag);
    status = db_flush(conn, start, diag);
    if (status == STATUS_OK)
        status = db_collect(conn, start, reply, diag);
    if (status != STATUS_OK && PQstatus(conn->pg) == CONNECTION_OK)
        db_cancel_and_drain(conn);
    return status;
}

Status
db_query(DbConn *conn, const char *sql, DbParams params, DbShape shape, DbRows **rows, Diag *diag)
{
    PGresult *reply = NULL;
    Status status = db_run_statement(conn, sql, params, &reply, diag);
    ExecStatusType outcome = PQresultStatus(reply);

    if (status != STATUS_OK)
        return status;
    if (outcome != PGRES_TUPLES_OK && outcome != PGRES_COMMAND_OK)
        status = db_statement_failed(conn, reply, diag);
    else if (shape == DB_ONE_ROW && PQntuples(reply) != 1)
        status = diag_set(diag, STATUS_DB_QUERY, "expected one row, got %d", PQntuples(reply));
    if (status == STATUS_OK)
        *rows = reply;
    else
        PQclear(reply);
    return status;
}

Status
db_exec(DbConn *conn, const char *sql, DbParams params, Diag *diag)
{
    DbRows *rows = NULL;
    Status status = db_query(conn, sql, params, DB_ANY_ROWS, &rows, diag);

    db_rows_free(rows);
    return status;
}

Status
db_exec_script(DbConn *conn, const char *sql, Diag *diag)
{
    Instant start = instant_now();
    PGresult *reply = NULL;
    bool ended = false;
    Status status = db_check_interrupt(conn, diag), failed = STATUS_OK;

    if (status != STATUS_OK)
        return status;
    if (PQsendQuery(conn->pg, sql) == 0)
        return db_not_sent(conn, diag);
    status = db_flush(conn, start, diag);
    while (status == STATUS_OK && !ended) {
        status = db_next_result(conn, start, conn->deadline_ns, &reply, diag);
        ended = status == STATUS_OK && reply == NULL;
        if (status == STATUS_OK && !ended && PQresultStatus(reply) == PGRES_FATAL_ERROR)
            failed = db_statement_failed(conn, reply, diag);
        PQclear(reply);
        reply = NULL;
    }
    if (status != STATUS_OK && PQstatus(conn->pg) == CONNECTION_OK)
        db_cancel_and_drain(conn);
    return status != STATUS_OK ? status : failed;
}

Status
db_send(DbConn *conn, const char *sql, Diag *diag)
{
    Status status = db_check_interrupt(conn, diag);

    if (status != STATUS_OK)
        return status;
    if (PQsendQueryParams(conn->pg, sql, 0, NULL, NULL, NULL, NULL, 0) == 0)
        return db_not_sent(conn, diag);
    return db_flush(conn, instant_now(), diag);
}

/* Whether an answer has come, or the connection is lost, within `wait_ns`. */
static Status
await_answer(DbConn *conn, uint64_t wait_ns, bool *ready, Diag *diag)
{
    Instant start = instant_now();

    while (PQisBusy(conn->pg)) {
        Diag timeout = {0};
        Status status = wait_for(conn, POLLIN, start, wait_ns, &timeout);

        if (status == STATUS_SERVER) /* the time is up */
            return STATUS_OK;
        if (status != STATUS_OK) {
            *diag = timeout;
            return status;
        }
        if (PQconsumeInput(conn->pg) == 0)
            return db_connection_lost(conn, diag);
    }
    *ready = true;
    return STATUS_OK;
}

static bool
is_copy(const PGresult *reply)
{
    return PQresultStatus(reply) == PGRES_COPY_IN || PQresultStatus(reply) == PGRES_COPY_OUT;
}

/* The statement's result, or the error of the commit that follows it in the same cycle. */
static Status
collect_with_commit(DbConn *conn, PGresult **reply, Diag *diag)
{
    PGresult *kept = NULL, *next = NULL;
    Instant start = instant_now();
    Status status = db_next_result(conn, start, conn->deadline_ns, &kept, diag);

    while (status == STATUS_OK && kept != NULL && !is_copy(kept)) {
        status = db_next_result(conn, start, conn->deadline_ns, &next, diag);
        if (status != STATUS_OK || next == NULL)
            break;
        if (PQresultStatus(next) == PGRES_FATAL_ERROR) {
            PQclear(kept);
            kept = next;
        } else {
            PQclear(next);
        }
    }
    *reply = kept;
    return status;
}

Status
db_finish(DbConn *conn, uint64_t wait_ns, bool *finished, DbRows **rows, Diag *diag)
{
    PGresult *reply = NULL;
    bool ready = false;
    Status status = await_answer(conn, wait_ns, &ready, diag);
    ExecStatusType outcome;

    if (status != STATUS_OK || !ready) {
        *finished = false;
        return status;
    }
    *finished = true;
    status = collect_with_commit(conn, &reply, diag);
    outcome = PQresultStatus(reply);
    if (status == STATUS_OK && outcome != PGRES_TUPLES_OK && outcome != PGRES_COMMAND_OK)
        status = db_statement_failed(conn, reply, diag);
    if (status == STATUS_OK)
        *rows = reply;
    else
        PQclear(reply);
    return status;
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
