#include "base/diag.h"
#include "base/interrupt.h"
#include "cli/commands.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

/* What was printed counts only when it arrived: a full disk behind a pipe of ours is an error. */
static Status
close_output(Diag *diag)
{
    if (fflush(stdout) == 0 && !ferror(stdout))
        return STATUS_OK;
    if (errno == EPIPE) /* the reader has had enough, as head does */
        return STATUS_OK;
    return diag_set(diag, STATUS_IO, "cannot write to standard output: %s", strerror(errno));
}

/* A closed standard descriptor would be taken by the next file opened, and get our messages. */
static void
open_standard_descriptors(void)
{
    int fd = open("/dev/null", O_RDWR);

    while (fd >= 0 && fd <= STDERR_FILENO)
        fd = dup(fd);
    if (fd > STDERR_FILENO)
        close(fd);
}

int
main(int argc, char **argv)
{
    Diag diag = {0}, output_diag = {0};
    Status status;

    open_standard_descriptors();
    interrupt_install();
    if (argc == 2 && (strcmp(argv[1], "--version") == 0 || strcmp(argv[1], "-V") == 0)) {
        puts("keybench " KEYBENCH_VERSION);
        status = STATUS_OK;
    } else {
        status = command_dispatch(&KEYBENCH, argc, argv, &diag);
    }
    if (close_output(&output_diag) != STATUS_OK && status == STATUS_OK) {
        diag = output_diag;
        status = diag.status;
    }
    if (status != STATUS_OK)
        diag_print(&diag, stderr);
    return status_exit_code(status);
}
