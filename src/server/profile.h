/*
 * The settings of a throwaway server, and how they and the user's own get into postgresql.conf.
 */
#ifndef KB_SERVER_PROFILE_H
#define KB_SERVER_PROFILE_H

#include "base/diag.h"
#include "base/text.h"

#include <stddef.h>

typedef struct ClusterSetting {
    const char *name, *value;
} ClusterSetting;

/* The settings every throwaway server gets, in order; `count` out. */
const ClusterSetting *cluster_profile(size_t *count);

/*
 * Append the lines of postgresql.conf: the profile, the socket's folder, then the user's settings,
 * which win. Returns   STATUS_USAGE for a name that is none, or one that would open the server to
 * others or lead it away from its folder
 */
Status profile_write(const char *socket_folder, const ClusterSetting *settings, size_t count,
                     Text *conf, Diag *diag) MUST_USE;

#endif
