#include "base/xml.h"

#include <string.h>

static const struct {
    char byte;
    const char *reference;
} REFERENCES[] = {
    {'<', "&lt;"}, {'>', "&gt;"}, {'&', "&amp;"}, {'"', "&quot;"}, {'\n', "&#10;"},
};

static const char *
find_reference(char byte)
{
    for (size_t i = 0; i < sizeof(REFERENCES) / sizeof(REFERENCES[0]); i++)
        if (REFERENCES[i].byte == byte)
            return REFERENCES[i].reference;
    return NULL;
}

/* XML 1.0 has no control characters but these two and the line break, not even as references. */
static bool
is_allowed(char byte)
{
    return (unsigned char)byte >= ' ' || byte == '\t' || byte == '\r';
}

void
xml_add_text(Text *xml, const char *text)
{
    Text clean = {0};

    text_add_utf8(&clean, text);
    for (const char *at = text_data(&clean); *at != '\0'; at++) {
        const char *reference = find_reference(*at);

        if (reference != NULL)
            text_add(xml, reference);
        else if (is_allowed(*at))
            text_add_bytes(xml, at, 1);
        else
            text_add(xml, "?");
    }
    text_release(&clean);
}

void
xml_add_attribute(Text *xml, const char *name, const char *value)
{
    text_printf(xml, " %s=\"", name);
    xml_add_text(xml, value);
    text_add(xml, "\"");
}
