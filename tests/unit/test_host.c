#include "server/host.h"
#include "support/tap.h"

#include <unistd.h>

int
main(void)
{
    HostFacts facts;
    DiskFacts disk;
    char name[256] = "?";

    host_facts_read(&facts);
    printf("# %s, %u, %s, %s\n", facts.cpu_model, facts.core_count, facts.kernel, facts.os_name);
    tap_ok(facts.cpu_model[0] != '\0' && strcmp(facts.cpu_model, "unknown") != 0, "a processor");
    tap_ok(facts.core_count >= 1, "with a core or more");
    tap_ok(facts.memory_bytes > UINT64_C(1) << 26, "memory");
    tap_contains(facts.kernel, "Linux ", "the kernel");
    tap_ok(strlen(facts.os_name) > 0 && strchr(facts.os_name, '"') == NULL, "the system's name");
    gethostname(name, sizeof(name) - 1);
    tap_ok(strcmp(facts.kernel, name) != 0 && strcmp(facts.os_name, name) != 0,
           "nothing that names the machine");
    host_disk_read("/proc/self", &disk);
    tap_text(disk.filesystem, "proc", "the file system of a folder");
    host_disk_read("/", &disk);
    printf("# %s\n", disk.filesystem);
    tap_ok(disk.total_bytes >= disk.free_bytes && disk.total_bytes > 0, "its size and free space");
    host_disk_read("/no/such/folder", &disk);
    tap_text(disk.filesystem, "unknown", "no folder");
    tap_u64(disk.total_bytes, 0, "... has no size");
    return tap_done();
}
