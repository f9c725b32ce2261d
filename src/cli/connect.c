#include "cli/connect.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

bool
connect_names_server(const DbTarget *target)
{
    static const char *const VARIABLES[] = {"PGHOST", "PGHOSTADDR", "PGSERVICE"};

    if (target->host != NULL || target->port != NULL || target->user != NULL ||
        target->dbname != NULL)
        return true;
    for (size_t i = 0; i < ARRAY_LEN(VARIABLES); i++) {
        const char *value = getenv(VARIABLES[i]);

        if (value != NULL && value[0] != '\0')
            return true;
    }
    return false;
}

void
connect_forget_environment(void)
{
    bool again = true;

    while (again) {
        again = false;
        for (char **entry = environ; entry != NULL && *entry != NULL && !again; entry++) {
            char name[64];
            const char *equals = strchr(*entry, '=');
            size_t length = equals != NULL ? (size_t)(equals - *entry) : 0;

            if (strncmp(*entry, "PG", 2) != 0 || length == 0 || length >= sizeof(name))
                continue;
            memcpy(name, *entry, length);
            name[length] = '\0';
            again = unsetenv(name) == 0; /* the array has changed: begin anew */
        }
    }
}
