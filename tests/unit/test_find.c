#include "server/find.h"
#include "support/tap.h"

int
main(void)
{
    static const struct {
        const char *answer;
        int version_number; /* 0: it is none */
        const char *version;
    } cases[] = {
        {"postgres (PostgreSQL) 18.4\n", 180004, "18.4"},
        {"postgres (PostgreSQL) 15.18 (Debian 15.18-0+deb12u1)\n", 150018, "15.18"},
        {"postgres (PostgreSQL) 19rc1 (Debian 19~rc1-1)\n", 190000, "19rc1"},
        {"postgres (PostgreSQL) 20devel", 200000, "20devel"},
        {"postgres (PostgreSQL) 17\n", 170000, "17"},
        {"postgres (PostgreSQL) 9.6.24\n", 90006, "9.6.24"},
        {"initdb (PostgreSQL) 18.4\n", 180004, "18.4"},
        {"postgres (PostgreSQL) eighteen\n", 0, ""},
        {"postgres (PostgreSQL) \n", 0, ""},
        {"postgres (PostgreSQL) -18\n", 0, ""},
        {"postgres (PostgreSQL) 99999999999999999999\n", 0, ""},
        {"PostgreSQL 18.4\n", 0, ""},
        {"", 0, ""},
    };

    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        ServerPrograms programs = {0};

        tap_u64(server_version_parse(cases[i].answer, &programs), cases[i].version_number != 0,
                cases[i].version);
        tap_u64((uint64_t)programs.version_number, (uint64_t)cases[i].version_number,
                "... its number");
        tap_text(programs.version, cases[i].version, "... its name");
    }
    return tap_done();
}
