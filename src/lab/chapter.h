/*
 * A chapter file: claims about a server, each with the SQL that shows it. docs/lab.md is the
 * format's manual. What is read here is checked as far as it can be without a server.
 */
#ifndef KB_LAB_CHAPTER_H
#define KB_LAB_CHAPTER_H

#include "base/diag.h"
#include "base/mem.h"

enum {
    CHAPTER_FILE_MAX_BYTES = 1 << 20,
    CHAPTER_NAME_MAX = 60,      /* bytes of a chapter's or claim's name */
    PART_NAME_MAX = 20,         /* of a session, server, database or variable */
    CHAPTER_VERSION_LAST = 999, /* "or later" */
};

/* What must be there for a claim to be shown. */
typedef enum NeedKind {
    NEED_VERSION, /* a major version from version_min to version_max */
    NEED_SUPERUSER,
    NEED_ROLE,
    NEED_EXTENSION,
    NEED_CREATEDB,
    NEED_THROWAWAY,
} NeedKind;

typedef struct Need {
    NeedKind kind;
    const char *name; /* of the role or extension */
    int version_min, version_max;
} Need;

typedef enum StepKind {
    STEP_STATEMENT,
    STEP_EXPECT,
    STEP_SESSION,
    STEP_SERVER,
    STEP_DATABASE,
    STEP_RESUMES,
    STEP_DISCONNECT,
    STEP_CRASH,
    STEP_RESTART,
    STEP_RUN,
} StepKind;

typedef struct Step {
    StepKind kind;
    size_t line;      /* in the file, from 1 */
    const char *text; /* the SQL, the text expected, the name, the scenario's file; else NULL */

    /* Of a statement: what its directives say. The error may also be STEP_RESUMES's. */
    const char *show;     /* label of its value, maybe ""; NULL: not shown */
    const char *sqlstate; /* it fails so; NULL: it does not fail */
    const char *message;  /* and its message or detail holds this, maybe "" */
    const char *variable; /* keeps its value; NULL: none */
    const char *design;   /* its counters are kept under this name; NULL: not measured */
    const char *phase;    /* and this one, maybe "" */
    bool blocks;          /* it waits for another session */
    bool until;           /* it is asked again until it returns true */

    /* Of STEP_SERVER: "name=value" texts for its first start. */
    const char **settings;
    size_t setting_count;
} Step;

typedef struct Claim {
    const char *id, *sentence;
    const char *why;    /* "" when the file does not say */
    const char *source; /* its lines in the file, as they are */
    size_t line;
    Need *needs;
    size_t need_count;
    Step *steps;
    size_t step_count;
    size_t setup_count; /* of the chapter's setup statements: those above the claim */
} Claim;

typedef struct Chapter {
    Arena *arena; /* owns all below */
    const char *file, *folder;
    const char *name, *title;
    Step *setup;
    size_t setup_count;
    Claim *claims;
    size_t claim_count;
} Chapter;

/*
 * Load a chapter; caller frees with chapter_free.
 * Returns   STATUS_SCENARIO with "FILE:LINE: ..." for a bad chapter; STATUS_IO; STATUS_USAGE when
 * the file is too long
 */
Status chapter_load(const char *file, Chapter **chapter, Diag *diag) MUST_USE;

/* The same from bytes in memory; `file` names them in errors. */
Status chapter_parse(const char *file, const char *bytes, size_t length, Chapter **chapter,
                     Diag *diag) MUST_USE;

void chapter_free(Chapter *chapter); /* accepts NULL */

#endif
