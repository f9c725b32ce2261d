#include "unit/test_scenario_help.h"

static const RefusedCase HEAD[] = {
    {"`format`: `keybench-scenario/1`,", "", "1:1: key `format` is missing", NULL, "no format"},
    {"`format`: `keybench-scenario/1`", "`format`: `keybench-scenario/2`",
     "2:12: format: `keybench-scenario/2` is not `keybench-scenario/1`, the format that this "
     "keybench reads",
     NULL, "another format"},
    {"`format`: `keybench-scenario/1`", "`format`: 1",
     "2:12: format: must be a string, not a number", NULL, "a number as format"},
    {"`seed`: 13", "`sed`: 13", "4:2: sed: unknown key", "Did you mean `seed`?", "an unknown key"},
    {"`seed`: 13", "`colour`: `blue`", "4:2: colour: unknown key",
     "Allowed here: `$schema`, `format`, `name`, `title`, `description`, `seed`, `repeats`, "
     "`axes`, `settings`, `designs`, `phases`, `references`, `tables`, `charts`, `bounds`.",
     "an unknown key like no other"},
    {" `seed`: 13,\n", "", "1:1: key `seed` is missing", NULL, "no seed"},
    {"`seed`: 13", "`seed`: -1", "4:10: seed: must be a whole number from 0 to 9007199254740992",
     NULL, "a negative seed"},
    {"`seed`: 13", "`seed`: 0.5", "4:10: seed: must be a whole number from 0 to 9007199254740992",
     NULL, "half a seed"},
    {"`seed`: 13", "`seed`: `13`", "4:10: seed: must be a number, not a string", NULL,
     "a seed in quotes"},
    {"`seed`: 13", "`seed`: 13, `repeats`: 0",
     "4:25: repeats: must be a whole number from 1 to 1000", NULL, "no repeats"},
    {"`seed`: 13", "`seed`: 13, `repeats`: 1001",
     "4:25: repeats: must be a whole number from 1 to 1000", NULL, "too many repeats"},
    {"`seed`: 13", "`seed`: 13, `title`: ``", "4:23: title: must not be empty", NULL,
     "an empty title"},
    {"`seed`: 13", "`seed`: 13, `title`: `a\\nb`", "4:23: title: control characters in a text",
     NULL, "a line break in a title"},
    {"`seed`: 13", "`seed`: 13, `title`: `a\\u0085b`", "4:23: title: control characters in a text",
     NULL, "a control character of the second kind"},
    {"`seed`: 13", "`seed`: 13, `title`: null", "4:23: title: must be a string, not null", NULL,
     "no text in a title"},
    {"`seed`: 13", "`seed`: 13, `$schema`: 1", "4:25: $schema: must be a string, not a number",
     NULL, "a number as schema"},
    {"`name`: `base`", "`name`: ``", "3:10: name: must not be empty", NULL, "an empty name"},
    {"`name`: `base`", "`name`: `Base`", "3:10: name: `Base` cannot be a name",
     "Names are made of a-z, 0-9, `-` and `_` and begin with a letter or digit; use `title` for "
     "what is printed.",
     "upper case in a name"},
    {"`name`: `base`", "`name`: `-base`", "3:10: name: `-base` cannot be a name",
     "Names are made of a-z, 0-9, `-` and `_` and begin with a letter or digit; use `title` for "
     "what is printed.",
     "a name that looks like an option"},
    {"`name`: `base`", "`name`: `../base`", "3:10: name: `../base` cannot be a name",
     "Names are made of a-z, 0-9, `-` and `_` and begin with a letter or digit; use `title` for "
     "what is printed.",
     "a name that looks like a path"},
    {"`name`: `base`", "`name`: `nnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnn`",
     "3:10: name: longer than 63 bytes", NULL, "a name that is too long"},
    {"`name`: `base`", "`name`: `b\\u00e9`", "3:10: name: `bé` cannot be a name",
     "Names are made of a-z, 0-9, `-` and `_` and begin with a letter or digit; use `title` for "
     "what is printed.",
     "a name beyond ASCII"},
    {"{`shared_buffers`: `128MB`}", "[]", "5:14: settings: must be an object, not an array", NULL,
     "a list of settings"},
    {"`128MB`", "128", "5:33: settings.shared_buffers: must be a string, not a number", NULL,
     "a number as setting"},
    {"`128MB`", "`1\\n2`", "5:33: settings.shared_buffers: control characters in a text", NULL,
     "a line break in a setting"},
    {"`shared_buffers`", "`Shared`", "5:25: settings.Shared: not the name of a setting", NULL,
     "upper case in a setting's name"},
    {"`shared_buffers`", "`1st`", "5:22: settings.1st: not the name of a setting", NULL,
     "a digit in front of a setting's name"},
    {"`shared_buffers`", "`a = 1`", "5:24: settings[`a = 1`]: not the name of a setting", NULL,
     "a setting's name that is no word"},
    {"`shared_buffers`", "``", "5:19: settings[``]: not the name of a setting", NULL,
     "an empty name of a setting"},
    {"`shared_buffers`", "`archive_command`",
     "5:34: settings.archive_command: a scenario may not change this setting", NULL,
     "a setting that runs a program"},
    {"`shared_buffers`", "`shared_preload_libraries`",
     "5:43: settings.shared_preload_libraries: a scenario may not change this setting", NULL,
     "a setting that loads code"},
    {"`shared_buffers`", "`data_directory`",
     "5:33: settings.data_directory: a scenario may not change this setting", NULL,
     "a setting that moves the server's files"},
    {"`shared_buffers`", "`listen_addresses`",
     "5:35: settings.listen_addresses: a scenario may not change this setting", NULL,
     "a setting that opens the server"},
    {"`shared_buffers`", "`include`",
     "5:26: settings.include: a scenario may not change this setting", NULL,
     "a word that reads another file"},
};

static const RefusedCase PHASES[] = {
    {"[\n  {`name`: `p`, `rows`: 100},\n  {`name`: `q`, `rows`: 100, `batches`: 10, `checkpoint`: "
     "`phase`}]",
     "[]", "16:12: phases: must not be empty", NULL, "no phases"},
    {"[\n  {`name`: `p`, `rows`: 100},\n  {`name`: `q`, `rows`: 100, `batches`: 10, `checkpoint`: "
     "`phase`}]",
     "{}", "16:12: phases: must be an array, not an object", NULL, "an object of phases"},
    {"{`name`: `p`, `rows`: 100}", "7", "17:3: phases[0]: must be an object, not a number", NULL,
     "a number as phase"},
    {"{`name`: `p`, `rows`: 100}", "{`name`: `q`, `rows`: 100}",
     "18:12: phases[1].name: `q` is there twice", NULL, "two phases of one name"},
    {"`rows`: 100}", "`row`: 100}", "17:17: phases[0].row: unknown key", "Did you mean `rows`?",
     "an unknown key of a phase"},
    {"`rows`: 100}", "`batches`: 1}", "17:3: phases[0]: key `rows` is missing", NULL, "no rows"},
    {"`rows`: 100}", "`rows`: 0}",
     "17:25: phases[0].rows: must be a whole number from 1 to 1000000000000", NULL, "zero rows"},
    {"`rows`: 100}", "`rows`: 1000000000001}",
     "17:25: phases[0].rows: must be a whole number from 1 to 1000000000000", NULL,
     "more rows than a phase may have"},
    {"`batches`: 10", "`batches`: 0",
     "18:41: phases[1].batches: must be a whole number from 1 to 100000", NULL, "zero batches"},
    {"`batches`: 10", "`batches`: 3",
     "18:41: phases[1].batches: 100 rows do not make 3 equal batches", NULL,
     "batches that do not divide the rows"},
    {"`batches`: 10", "`batches`: 101",
     "18:41: phases[1].batches: 100 rows do not make 101 equal batches", NULL,
     "more batches than rows"},
    {"`checkpoint`: `phase`", "`checkpoint`: `phases`",
     "18:59: phases[1].checkpoint: unknown cadence `phases`", "Did you mean `phase`?",
     "an unknown cadence"},
    {"`checkpoint`: `phase`", "`checkpoint`: false",
     "18:59: phases[1].checkpoint: must be a string, not a boolean", NULL, "a boolean as cadence"},
};

int
main(void)
{
    for (size_t i = 0; i < ARRAY_LEN(HEAD); i++)
        check_refused(&HEAD[i]);
    for (size_t i = 0; i < ARRAY_LEN(PHASES); i++)
        check_refused(&PHASES[i]);
    return tap_done();
}
