/*
 * A comparison for other programs: every figure, as a row of CSV or an object of JSON. Private to
 * the report room; compare_print is the door.
 */
#ifndef KB_REPORT_COMPARE_DATA_H
#define KB_REPORT_COMPARE_DATA_H

#include "report/compare.h"

void compare_print_data(const CompareReport *report, bool json, Text *out);

#endif
