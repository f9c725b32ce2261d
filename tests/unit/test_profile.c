#include "server/profile.h"
#include "support/tap.h"

static void
test_lines(void)
{
    static const struct {
        ClusterSetting setting;
        const char *line, *why;
    } cases[] = {
        {{"work_mem", "4MB"}, "\nwork_mem = '4MB'\n", "a plain value"},
        {{"Ext_1.x", ""}, "\nExt_1.x = ''\n", "an empty value"},
        {{"a", "it's"}, "\na = 'it''s'\n", "a quote"},
        {{"a", "\\'"}, "\na = '\\\\'''\n", "a backslash in front of one"},
        {{"a", "1'\nfsync = 'on"},
         "\na = '1''\\012fsync = ''on'\n",
         "a line that would be its own"},
        {{"a", "\t\x01\x7f\xc3\xa4"}, "\na = '\\011\\001\x7f\xc3\xa4'\n", "other bytes"},
    };

    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        Text conf = {0};
        Diag diag = {0};

        tap_u64(profile_write("/x", &cases[i].setting, 1, &conf, &diag), STATUS_OK, cases[i].why);
        tap_contains(text_data(&conf), cases[i].line, "... its line");
        text_release(&conf);
    }
}

static void
test_names(void)
{
    static const char *const BAD[] = {"",    "1a", ".a", "a b",      "a=b",
                                      "a-b", "a#", "a'", "a\nfsync", "\xc3\xa4"};
    static const char *const RESERVED[] = {"port",
                                           "PORT",
                                           "data_directory",
                                           "include_if_exists",
                                           "unix_socket_directories",
                                           "listen_addresses"};

    for (size_t i = 0; i < ARRAY_LEN(BAD); i++) {
        ClusterSetting setting = {BAD[i], "1"};
        Text conf = {0};
        Diag diag = {0};

        tap_u64(profile_write("/x", &setting, 1, &conf, &diag), STATUS_USAGE, "no setting's name");
        tap_contains(diag.message, "is not the name of a server setting", "... is said to be none");
        tap_u64(conf.length, 0, "... and nothing is written");
    }
    for (size_t i = 0; i < ARRAY_LEN(RESERVED); i++) {
        ClusterSetting setting = {RESERVED[i], "1"};
        Text conf = {0};
        Diag diag = {0};

        tap_u64(profile_write("/x", &setting, 1, &conf, &diag), STATUS_USAGE, RESERVED[i]);
        tap_contains(diag.message, "cannot be changed on a throwaway server", "... is refused");
    }
}

static void
test_order(void)
{
    static const ClusterSetting SETTING = {"fsync", "on"};
    Text conf = {0};
    Diag diag = {0};
    size_t count = 0;
    const ClusterSetting *profile = cluster_profile(&count);
    const char *ours, *theirs;

    tap_u64(profile_write("/tmp/a\"b' c", &SETTING, 1, &conf, &diag), STATUS_OK, "all of it");
    tap_contains(conf.data, "\nunix_socket_directories = '\"/tmp/a\"\"b'' c\"'\n",
                 "a folder is quoted in its list, and the list in the file");
    for (size_t i = 0; i < count; i++)
        tap_contains(conf.data, profile[i].name, "a setting of the profile");
    ours = strstr(conf.data, "fsync = 'off'");
    theirs = strstr(conf.data, "fsync = 'on'");
    tap_ok(ours != NULL && theirs > ours, "the user's settings come last, and so win");
    text_release(&conf);
}

int
main(void)
{
    test_lines();
    test_names();
    test_order();
    return tap_done();
}
