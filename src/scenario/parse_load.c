#include "scenario/parse.h"

#include <inttypes.h>

#define ROWS_MAX UINT64_C(1000000000000)

enum { RATE_MAX_PER_S = 1000000, RETRIES_MAX = 1000, RETRIES_DEFAULT = 10 };

static const char *const METHODS[] = {
    [LOAD_INSERT_SELECT] = "insert_select",
    [LOAD_COPY] = "copy",
    [LOAD_INSERT] = "insert",
};

static const char *const ON_ERRORS[] = {
    [ON_ERROR_STOP] = "stop",
    [ON_ERROR_COUNT] = "count",
    [ON_ERROR_RETRY] = "retry",
};

static const char *const ISOLATIONS[] = {"read committed", "repeatable read", "serializable"};

static const char *const STAGED_KEYS[] = {"method", "isolation", NULL};
static const char *const COPY_KEYS[] = {"method",     "rows_per_statement", "rows_per_transaction",
                                        "rate_per_s", "isolation",          NULL};
static const char *const INSERT_KEYS[] = {
    "method",      "rows_per_statement", "rows_per_transaction",
    "pipeline",    "rate_per_s",         "on_error",
    "retries_max", "isolation",          "check",
    NULL};
static const char *const *const LOAD_KEYS[] = {
    [LOAD_INSERT_SELECT] = STAGED_KEYS,
    [LOAD_COPY] = COPY_KEYS,
    [LOAD_INSERT] = INSERT_KEYS,
};

static const cJSON *
member(const cJSON *json, const char *key)
{
    return cJSON_GetObjectItemCaseSensitive(json, key);
}

/* What is not said of the one follows from the other. */
static Status
parse_load_rows(const Parser *parser, const cJSON *json, Load *load, Diag *diag)
{
    const JsonDoc *doc = parser->doc;
    uint64_t statement = 0, transaction = 0;
    Status status = json_u64_or(doc, json, "rows_per_statement", 1, ROWS_MAX, &statement, diag);

    if (status == STATUS_OK)
        status = json_u64_or(doc, json, "rows_per_transaction", 1, ROWS_MAX, &transaction, diag);
    if (status != STATUS_OK)
        return status;
    if (statement == 0)
        statement = load->method == LOAD_INSERT ? 1 : transaction;
    if (transaction == 0)
        transaction = statement;
    if (statement > 0 && transaction % statement != 0)
        return json_error(doc, member(json, "rows_per_transaction"), diag,
                          "must be a multiple of the %" PRIu64 " rows of a statement", statement);
    load->rows_per_statement = statement;
    load->rows_per_transaction = transaction;
    return STATUS_OK;
}

static Status
parse_on_error(const Parser *parser, const cJSON *json, Load *load, Diag *diag)
{
    size_t on_error = ON_ERROR_STOP;
    Status status = parse_choice_or(parser, json, "on_error",
                                    CHOICES("answer to errors", ON_ERRORS, ARRAY_LEN(ON_ERRORS)),
                                    &on_error, diag);

    load->on_error = (OnError)on_error;
    if (status == STATUS_OK && load->on_error != ON_ERROR_STOP &&
        load->rows_per_transaction > TRANSACTION_ROWS_MAX)
        status = json_error(parser->doc, member(json, "on_error"), diag,
                            "a transaction of more than %d rows cannot go on after an error",
                            TRANSACTION_ROWS_MAX);
    if (status == STATUS_OK && load->on_error != ON_ERROR_RETRY &&
        member(json, "retries_max") != NULL)
        status = json_error(parser->doc, member(json, "retries_max"), diag,
                            "goes with \"on_error\": \"retry\" only");
    if (status != STATUS_OK || load->on_error != ON_ERROR_RETRY)
        return status;
    load->retries_max = RETRIES_DEFAULT;
    return json_u64_or(parser->doc, json, "retries_max", 1, RETRIES_MAX, &load->retries_max, diag);
}

/* Look at the key of one row, insert that row: a statement has no more. */
static Status
parse_check(const Parser *parser, const cJSON *json, Load *load, Diag *diag)
{
    Status status = json_bool_or(parser->doc, json, "check", &load->check, diag);

    if (status == STATUS_OK && load->check && load->rows_per_statement > 1)
        status = json_error(parser->doc, member(json, "check"), diag,
                            "a check is of one row, but a statement has %" PRIu64,
                            load->rows_per_statement);
    return status;
}

/* Who does not wait for an answer knows neither how long it took nor what to try again. */
static Status
parse_pipeline(const Parser *parser, const cJSON *json, Load *load, Diag *diag)
{
    static const char *const REFUSED[] = {"rate_per_s", "on_error", "check"};
    Status status = json_bool_or(parser->doc, json, "pipeline", &load->pipeline, diag);

    for (size_t i = 0; status == STATUS_OK && load->pipeline && i < ARRAY_LEN(REFUSED); i++)
        if (member(json, REFUSED[i]) != NULL)
            status = json_error(parser->doc, member(json, REFUSED[i]), diag,
                                "not with a pipeline, which does not wait for answers");
    return status;
}

static Status
parse_isolation(const Parser *parser, const cJSON *json, Load *load, Diag *diag)
{
    size_t level = 0;
    Status status = parse_choice_or(parser, json, "isolation",
                                    CHOICES("isolation level", ISOLATIONS, ARRAY_LEN(ISOLATIONS)),
                                    &level, diag);

    if (status == STATUS_OK && member(json, "isolation") != NULL)
        load->isolation = ISOLATIONS[level];
    return status;
}

Status
parse_load(const Parser *parser, const cJSON *phase_json, Load *load, Diag *diag)
{
    const cJSON *json = NULL;
    size_t method = LOAD_INSERT_SELECT;
    Status status = json_object_or(parser->doc, phase_json, "load", &json, diag);

    if (status != STATUS_OK || json == NULL)
        return status;
    status = json_only_keys(parser->doc, json, INSERT_KEYS, diag);
    if (status == STATUS_OK)
        status = parse_choice(parser, json, "method",
                              CHOICES("method", METHODS, ARRAY_LEN(METHODS)), &method, diag);
    load->method = (LoadMethod)method;
    if (status == STATUS_OK)
        status = json_only_keys(parser->doc, json, LOAD_KEYS[method], diag);
    if (status == STATUS_OK)
        status = parse_load_rows(parser, json, load, diag);
    if (status == STATUS_OK)
        status = parse_pipeline(parser, json, load, diag);
    if (status == STATUS_OK)
        status = json_u64_or(parser->doc, json, "rate_per_s", 1, RATE_MAX_PER_S, &load->rate_per_s,
                             diag);
    if (status == STATUS_OK)
        status = parse_on_error(parser, json, load, diag);
    if (status == STATUS_OK)
        status = parse_isolation(parser, json, load, diag);
    if (status == STATUS_OK)
        status = parse_check(parser, json, load, diag);
    return status;
}
