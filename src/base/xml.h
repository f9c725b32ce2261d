/*
 * Texts inside XML, as JUnit reports need them.
 */
#ifndef KB_BASE_XML_H
#define KB_BASE_XML_H

#include "base/text.h"

/* Append a text as content or as the inside of an attribute. What XML 1.0 has no way to write,
 * control characters and bytes that are not UTF-8, becomes "?". */
void xml_add_text(Text *xml, const char *text);

/* Append ` name="value"`. */
void xml_add_attribute(Text *xml, const char *name, const char *value);

#endif
