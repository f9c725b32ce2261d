/*
 * What is wrong with a text that is no id.
 */
#ifndef KB_KEYS_COMPLAIN_H
#define KB_KEYS_COMPLAIN_H

#include "base/diag.h"

/* Set and return STATUS_USAGE: the format that the text resembles most, and the first character,
 * counted from 1, that does not fit it. */
Status key_complain(const char *text, Diag *diag);

#endif
