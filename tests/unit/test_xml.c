#include "base/xml.h"

#include "support/tap.h"

int
main(void)
{
    static const struct {
        const char *text, *xml, *why;
    } cases[] = {
        {"", "", "nothing"},
        {"a < b && c > \"d\"", "a &lt; b &amp;&amp; c &gt; &quot;d&quot;", "what XML reads"},
        {"one\ntwo\tthree", "one&#10;two\tthree", "a line break lives in an attribute too"},
        {"bell\a, escape\x1b[1m", "bell?, escape?[1m", "control characters"},
        {"gr\xc3\xbc\xc3\x9f", "gr\xc3\xbc\xc3\x9f", "UTF-8 stays"},
        {"gr\xfc\xdf", "gr??", "Latin-1 does not"},
        {"\xff", "?", "a bad byte alone"},
        {"\xed\xa0\x80.", "???.", "a surrogate"},
    };
    Text xml = {0};

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        xml_add_text(&xml, cases[i].text);
        tap_text(text_data(&xml), cases[i].xml, cases[i].why);
        text_release(&xml);
    }
    xml_add_attribute(&xml, "name", "5 > 4");
    tap_text(text_data(&xml), " name=\"5 &gt; 4\"", "an attribute");
    text_release(&xml);
    return tap_done();
}
