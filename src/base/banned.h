/*
 * Functions that are nearly always a mistake are compile errors here. Included in front of every
 * source file by the build.
 */
#ifndef KB_BASE_BANNED_H
#define KB_BASE_BANNED_H

/* System headers may declare or use these inline, so they are read before the names are poisoned.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <time.h>

#pragma GCC poison strcpy strcat sprintf vsprintf strtok atoi atol atof gets localtime gmtime      \
    ctime asctime gettimeofday

#endif
