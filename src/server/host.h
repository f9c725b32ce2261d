/*
 * The machine that a result was measured on: enough to judge its times by, nothing that names the
 * machine or its user.
 */
#ifndef KB_SERVER_HOST_H
#define KB_SERVER_HOST_H

#include <stdint.h>

/* Texts are "unknown" and numbers 0 where the system does not tell. */
typedef struct HostFacts {
    char cpu_model[128];
    unsigned core_count;   /* logical, that this process may use */
    uint64_t memory_bytes; /* of the machine */
    char kernel[128];      /* "Linux 6.1.0-18-amd64 x86_64" */
    char os_name[128];     /* "Debian GNU/Linux 12 (bookworm)" */
} HostFacts;

typedef struct DiskFacts {
    char filesystem[32]; /* "ext4" */
    uint64_t total_bytes;
    uint64_t free_bytes; /* for this user */
} DiskFacts;

/* Never fails. */
void host_facts_read(HostFacts *facts);

/* The same for the disk that a folder is on, such as a server's. */
void host_disk_read(const char *folder, DiskFacts *disk);

#endif
