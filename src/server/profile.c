#include "server/profile.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

/* Counts of WAL, images and pages depend on none of these but autovacuum, which would add its own;
 * they keep checkpoints where the scenario puts them, and the disk out of the way. */
static const ClusterSetting PROFILE[] = {
    {"listen_addresses", ""},
    {"unix_socket_permissions", "0700"},
    {"fsync", "off"},
    {"max_wal_size", "64GB"},
    {"checkpoint_timeout", "1d"},
    {"autovacuum", "off"},
    {"shared_buffers", "128MB"},
    /* In the data folder, where it goes with the rest even after a kill -9. */
    {"dynamic_shared_memory_type", "mmap"},
};

/* Connections are trusted, so nobody else may reach the server; the rest are paths, and words that
 * postgresql.conf reads as instructions. */
static const char *const RESERVED[] = {
    "listen_addresses",
    "port",
    "unix_socket_directories",
    "unix_socket_group",
    "unix_socket_permissions",
    "data_directory",
    "config_file",
    "hba_file",
    "ident_file",
    "external_pid_file",
    "include",
    "include_dir",
    "include_if_exists",
};

const ClusterSetting *
cluster_profile(size_t *count)
{
    *count = ARRAY_LEN(PROFILE);
    return PROFILE;
}

static bool
is_setting_name(const char *name)
{
    bool starts = isalpha((unsigned char)name[0]) || name[0] == '_';

    for (; *name != '\0'; name++)
        if (!isalnum((unsigned char)*name) && *name != '_' && *name != '.')
            return false;
    return starts;
}

static bool
is_reserved(const char *name)
{
    for (size_t i = 0; i < ARRAY_LEN(RESERVED); i++)
        if (strcasecmp(name, RESERVED[i]) == 0)
            return true;
    return false;
}

static Status
check_name(const char *name, Diag *diag)
{
    if (!is_setting_name(name)) {
        diag_set(diag, STATUS_USAGE, "\"%s\" is not the name of a server setting", name);
        diag_hint(diag, "Names are like \"shared_buffers\" or \"extension.setting\".");
        return diag->status;
    }
    if (is_reserved(name)) {
        diag_set(diag, STATUS_USAGE, "setting \"%s\" cannot be changed on a throwaway server",
                 name);
        diag_hint(diag, "Such a server is reached only through the socket in its own folder.");
        return diag->status;
    }
    return STATUS_OK;
}

/* Source: the manual, "Parameter Interaction via the Configuration File", and the server's
 * guc-file.l: quotes are doubled, a backslash escapes, a line break must be written as octal. */
static void
write_setting(const char *name, const char *value, Text *conf)
{
    text_printf(conf, "%s = '", name);
    for (; *value != '\0'; value++) {
        if (*value == '\'' || *value == '\\')
            text_printf(conf, "%c%c", *value, *value);
        else if ((unsigned char)*value < ' ')
            text_printf(conf, "\\%03o", (unsigned)*value);
        else
            text_add_bytes(conf, value, 1);
    }
    text_add(conf, "'\n");
}

/* The value is a list of folders, so the folder is quoted in it. */
static void
write_socket_folder(const char *folder, Text *conf)
{
    Text quoted = {0};

    text_add(&quoted, "\"");
    for (; *folder != '\0'; folder++)
        text_add(&quoted, *folder == '"' ? "\"\"" : (char[]){*folder, '\0'});
    text_add(&quoted, "\"");
    write_setting("unix_socket_directories", quoted.data, conf);
    text_release(&quoted);
}

Status
profile_write(const char *socket_folder, const ClusterSetting *settings, size_t count, Text *conf,
              Diag *diag)
{
    for (size_t i = 0; i < count; i++) {
        Status status = check_name(settings[i].name, diag);

        if (status != STATUS_OK)
            return status;
    }
    text_add(conf, "\n# written by keybench\n");
    for (size_t i = 0; i < ARRAY_LEN(PROFILE); i++)
        write_setting(PROFILE[i].name, PROFILE[i].value, conf);
    write_socket_folder(socket_folder, conf);
    for (size_t i = 0; i < count; i++)
        write_setting(settings[i].name, settings[i].value, conf);
    return STATUS_OK;
}
