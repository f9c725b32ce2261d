-- The formats beside bigint and UUID: TypeID, ULID, KSUID, Snowflake, NanoID, Sqids.
--
-- The base32 functions of the setup are those of scenarios/sql/base32.sql. v7_of() writes a
-- version-7 id from a time and a number, so that every server builds the same rows.

--@ chapter formats: Other formats, and how they are stored

--@ setup
create function base32_encode(id uuid) returns text
language plpgsql immutable strict parallel safe as $$
declare
    alphabet constant text := '0123456789abcdefghjkmnpqrstvwxyz';
    bits constant bit(130) := B'00' || ('x' || replace(id::text, '-', ''))::bit(128);
    letters text := '';
begin
    for at in 1..126 by 5 loop
        letters := letters || substr(alphabet, substring(bits from at for 5)::int + 1, 1);
    end loop;
    return letters;
end $$;

-- Null for every text that base32_encode() does not write: of another length, with other letters or
-- capitals, of more than 128 bits. Being immutable, it runs once for a constant, before the plan is
-- made: a look-up by it uses the index on the uuid.
create function base32_decode(letters text) returns uuid
language plpgsql immutable strict parallel safe as $$
declare
    alphabet constant text := '0123456789abcdefghjkmnpqrstvwxyz';
    bits varbit := '';
begin
    if letters collate "C" !~ '^[0-7][0-9a-hjkmnp-tv-z]{25}$' then
        return null;
    end if;
    for at in 1..26 loop
        bits := bits || (strpos(alphabet, substr(letters, at, 1)) - 1)::bit(5);
    end loop;
    return (lpad(to_hex(substring(bits from 3 for 64)::bit(64)::bigint), 16, '0')
            || lpad(to_hex(substring(bits from 67)::bit(64)::bigint), 16, '0'))::uuid;
end $$;

create function v7_of(made_at timestamptz, n bigint) returns uuid
language sql immutable strict parallel safe as $$
    select (lpad(to_hex(floor(extract(epoch from made_at) * 1000)::bigint), 12, '0')
            || '7' || substr(md5(n::text), 1, 3)
            || '8' || substr(md5(n::text), 4, 15))::uuid
$$;

--@ claim b32-vectors: the base32 encoder gives the TypeID specification's vectors, the decoder takes them back
--@ why An encoder that is wrong by one bit works until another program reads its ids.
--@ show 01890a5d-ac96-774b-bcce-b302099a8057
select base32_encode('01890a5d-ac96-774b-bcce-b302099a8057');
--@ expect 01h455vb4pex5vsknk084sn02q
--@ show all ones
select base32_encode('ffffffff-ffff-ffff-ffff-ffffffffffff');
--@ expect 7zzzzzzzzzzzzzzzzzzzzzzzzz
--@ show ...0020
select base32_encode('00000000-0000-0000-0000-000000000020');
--@ expect 00000000000000000000000010
create table vector (id uuid, letters text);
insert into vector values
    ('00000000-0000-0000-0000-000000000000', '00000000000000000000000000'),
    ('00000000-0000-0000-0000-000000000001', '00000000000000000000000001'),
    ('00000000-0000-0000-0000-00000000000a', '0000000000000000000000000a'),
    ('00000000-0000-0000-0000-000000000010', '0000000000000000000000000g'),
    ('00000000-0000-0000-0000-000000000020', '00000000000000000000000010'),
    ('ffffffff-ffff-ffff-ffff-ffffffffffff', '7zzzzzzzzzzzzzzzzzzzzzzzzz'),
    ('0110c853-1d09-52d8-d73e-1194e95b5f19', '0123456789abcdefghjkmnpqrs'),
    ('01890a5d-ac96-774b-bcce-b302099a8057', '01h455vb4pex5vsknk084sn02q'),
    -- From the tests of ULID's reference implementation, in lower case.
    ('01563df3-6481-d676-4c61-efb99302bd5b', '01aryz6s41tsv4rrffq69g5fav'),
    ('0195c9a1-0e22-1027-43f4-0b1ec21025b7', '01jq4t23h220km7x0b3v1109dq'),
    ('0195c9a4-2e32-c014-5f4f-a7cef5be83d5', '01jq4t8bhjr0a5ykx7svtvx0yn'),
    ('0195c9a4-74cc-5149-bcc4-0a556a0cf19d', '01jq4t8x6ca54vsh0aann0swcx');
--@ show of 12 vectors: encoded, decoded
select count(*) filter (where base32_encode(id) = letters),
       count(*) filter (where base32_decode(letters) = id)
from vector;
--@ expect 12, 12

--@ claim b32-order: on 50,000 random pairs the encoded texts compare as their uuids do
--@ why The order survives in the text: version-7 ids printed as TypeIDs still sort by their time.
create table pair as
select a, b, base32_encode(a) as text_a, base32_encode(b) as text_b
from (select md5('a' || n)::uuid as a, md5('b' || n)::uuid as b
      from generate_series(1, 50000) n) ids;
--@ show pairs in the same order
select count(*) from pair where (a < b) = (text_a < text_b collate "C");
--@ expect 50000
--@ show of them the smaller first
select count(*) from pair where a < b and text_a < text_b collate "C";
--@ show decoded to what they were
select count(*) from pair where base32_decode(text_a) = a and base32_decode(text_b) = b;
--@ expect 50000

--@ claim b32-garbage: malformed, upper-case and out-of-range texts decode to null, not to an error
--@ why An id from a URL is input. A look-up by garbage should find no row instead of failing.
create table garbage (letters text);
insert into garbage values
    (''),
    ('1234567890123456789012345'),   -- 25 letters
    ('123456789012345678901234567'), -- 27
    ('1234567890123456789012345 '),
    ('0123456789ABCDEFGHJKMNPQRS'),  -- upper case
    ('123456789-123456789-123456'),
    ('123456789-0123456789-0123456'),
    ('ooooooiiiiiiuuuuuuulllllll'),  -- the letters that base32 leaves out
    ('i23456789ol23456789oi23456'),
    ('8zzzzzzzzzzzzzzzzzzzzzzzzz'),  -- the first beyond 128 bits
    ('0123456789abcdefghjkmnpqr' || chr(233)), -- beyond ASCII
    (E'01h455vb4pex5vsknk084sn02q\n');
--@ show of 12 texts, null
select count(*) from garbage where base32_decode(letters) is null;
--@ expect 12
--@ show the last that is in range
select base32_decode('7zzzzzzzzzzzzzzzzzzzzzzzzz');
--@ expect ffffffff-ffff-ffff-ffff-ffffffffffff

--@ claim ulid-fit: a ULID is a uuid byte for byte, and keeps its leaves about 90 % full
--@ why Store a ULID as uuid: 16 bytes instead of 27, in the same order. The text is for printing.
--@ needs extension pgstattuple
--@ needs role pg_stat_scan_tables
-- The example of the ULID specification, made at 1469922850259 ms. The text is base32 in capitals.
create table ulid (id uuid primary key);
--@ show 01ARZ3NDEKTSV4RRFFQ69G5FAV is
insert into ulid values (base32_decode(lower('01ARZ3NDEKTSV4RRFFQ69G5FAV'))) returning id;
--@ expect 01563e3a-b5d3-d676-4c61-efb99302bd5b
--@ show and back
select upper(base32_encode(id)) from ulid;
--@ expect 01ARZ3NDEKTSV4RRFFQ69G5FAV
--@ show its milliseconds
select ('x' || left(replace(id::text, '-', ''), 12))::bit(48)::bigint from ulid;
--@ expect 1469922850259
-- 200,000 more, ten a millisecond: 48 bits of time and 80 bits that count within the millisecond.
insert into ulid
select (lpad(to_hex(1767571200000 + n / 10), 12, '0')
        || left(md5((n / 10)::text), 16) || lpad(to_hex(n % 10), 4, '0'))::uuid
from generate_series(1, 200000) n;
--@ show leaves full
select round(avg_leaf_density::numeric, 1) || ' %' from pgstatindex('ulid_pkey');
select avg_leaf_density between 88 and 92 from pgstatindex('ulid_pkey');
--@ expect true

--@ claim ksuid-wide: a KSUID has 160 bits: bytea, or text under the C collation, since its base62 puts upper case first
--@ why It does not fit a uuid column, and text under a language's collation loses the order of time
--@ why that the format is chosen for.
-- Base 62 to bytes: the letters are the digits of one large number.
create function ksuid_bytes(ksuid text) returns bytea
language plpgsql immutable strict as $$
declare
    alphabet constant text := '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
    number numeric := 0;
    hex text := '';
begin
    for at in 1..27 loop
        number := number * 62 + strpos(alphabet, substr(ksuid, at, 1)) - 1;
    end loop;
    for byte in 1..20 loop
        hex := lpad(to_hex((number % 256)::int), 2, '0') || hex;
        number := div(number, 256);
    end loop;
    return decode(hex, 'hex');
end $$;
-- The example of the reference implementation.
create table ksuid (id bytea primary key);
--@ show 0ujtsYcgvSTl8PAuAdqWYSMnLOv is
insert into ksuid values (ksuid_bytes('0ujtsYcgvSTl8PAuAdqWYSMnLOv'))
returning encode(id, 'hex');
--@ expect 0669f7efb5a1cd34b5f99d1154fb6853345c9735
--@ show bits
select 8 * octet_length(id) from ksuid;
--@ expect 160
--@ error 22P02
select encode(id, 'hex')::uuid from ksuid;
-- Three ids in the order of their time: their third letters are Z, a and j.
create table ksuid_text (made text, id text);
insert into ksuid_text values ('first', '0uZtsYcgvSTl8PAuAdqWYSMnLOv'),
                              ('second', '0uatsYcgvSTl8PAuAdqWYSMnLOv'),
                              ('third', '0ujtsYcgvSTl8PAuAdqWYSMnLOv');
--@ show by bytes
select string_agg(made, ' ' order by ksuid_bytes(id)) from ksuid_text;
--@ expect first second third
--@ show by text under C
select string_agg(made, ' ' order by id collate "C") from ksuid_text;
--@ expect first second third
--@ show by text under English
select string_agg(made, ' ' order by id collate "en-x-icu") from ksuid_text;
--@ expect second third first

--@ claim snowflake-js: a Snowflake exceeds 2^53, so a double loses it; two writers with one machine id collide
--@ why JavaScript reads the numbers of JSON as doubles: send the id as text. And hand out machine
--@ why ids as carefully as the keys that they make unique.
-- 41 bits of milliseconds since 2010-11-04, 10 bits of machine, 12 bits of sequence.
create function snowflake(made_at timestamptz, machine bigint, sequence bigint) returns bigint
language sql immutable as $$
    select (((extract(epoch from made_at) * 1000)::bigint - 1288834974657) << 22)
           | (machine << 12) | sequence
$$;
create table post (id bigint primary key);
--@ show id
insert into post values (snowflake('2026-01-05 12:00Z', 378, 1)) returning id;
--@ expect 2008146458835394561
--@ show as a double
select id::double precision::bigint from post;
--@ expect 2008146458835394560
select id > (2 ^ 53)::bigint from post;
--@ expect true
-- Another writer that was given the same machine id, in the same millisecond.
--@ error 23505 (id)=(2008146458835394561) already exists
insert into post values (snowflake('2026-01-05 12:00Z', 378, 1));
--@ show with a machine id of its own
insert into post values (snowflake('2026-01-05 12:00Z', 379, 1)) returning id;
--@ expect 2008146458835398657

--@ claim nanoid-budget: 8 letters of a NanoID reach a collision chance of one in a billion at about 750 ids, 21 letters at about 4.1e14
--@ why A random id is short at a price: two letters less, and it lasts for 64 times fewer ids.
-- Birthday bound: n ids of N possible ones hold a collision with the chance 1 - exp(-n^2 / 2N).
create function budget(letters int, chance double precision) returns double precision
language sql immutable as $$
    select sqrt(-2 * 64::double precision ^ letters * ln(1 - chance))
$$;
--@ show 8 letters
select round(budget(8, 1e-9));
select budget(8, 1e-9) between 740 and 760;
--@ expect true
--@ show 21 letters
select to_char(budget(21, 1e-9) / 1e14, 'FM9.99') || 'e14';
select budget(21, 1e-9) between 4.1e14 and 4.2e14;
--@ expect true
-- The bound against the real thing: 200 tables of ids with 3 letters, each as large as a chance of
-- one half allows.
create table draw as
select page, left(encode(decode(md5(page || '/' || n), 'hex'), 'base64'), 3) as id
from generate_series(1, 200) page, generate_series(1, budget(3, 0.5)::int) n;
create table collided as
select page, count(*) > count(distinct id) as collided from draw group by page;
--@ show 3 letters
select format('%s of %s tables with %s ids hold a collision',
              count(*) filter (where collided), count(*), budget(3, 0.5)::int)
from collided;
select count(*) filter (where collided) between 80 and 120 from collided;
--@ expect true

--@ claim typeid-prefix: a cus_ id sent where prj_ belongs is refused; the stored value is the uuid
--@ why The prefix takes no byte in the table, and a mix-up of two ids becomes an error instead of a
--@ why wrong row.
create function project_id(typeid text) returns uuid
language plpgsql immutable strict as $$
begin
    if left(typeid, 4) <> 'prj_' or base32_decode(substr(typeid, 5)) is null then
        raise exception 'no project id: %', typeid using errcode = 'invalid_text_representation';
    end if;
    return base32_decode(substr(typeid, 5));
end $$;
create table project (id uuid primary key, name text not null);
--@ show stored
insert into project values (project_id('prj_01h455vb4pex5vsknk084sn02q'), 'roof') returning id;
--@ expect 01890a5d-ac96-774b-bcce-b302099a8057
--@ show found
select name from project where id = project_id('prj_01h455vb4pex5vsknk084sn02q');
--@ expect roof
--@ error 22P02 no project id: cus_01h455vb4pex5vsknk084sn02q
select name from project where id = project_id('cus_01h455vb4pex5vsknk084sn02q');

--@ claim sqids-decode: a Sqid decodes back to the counter
--@ why Sqids look random and hide nothing: how they are made is public, and most use the
--@ why specification's alphabet. They make a counter short, not secret.
-- Always the same for the same letters.
create function sqids_shuffle(letters text) returns text
language plpgsql immutable as $$
declare
    letter text[] := string_to_array(letters, null);
    size constant int := length(letters);
    other int;
    kept text;
begin
    for at in 1..size - 1 loop
        other := 1 + ((at - 1) * (size - at)
                      + ascii(letter[at]) + ascii(letter[size + 1 - at])) % size;
        kept := letter[at];
        letter[at] := letter[other];
        letter[other] := kept;
    end loop;
    return array_to_string(letter, '');
end $$;
-- The first letter says where the alphabet is cut; turned and read backwards, its first letter
-- separates the numbers, which are written in the others.
create function sqids_decode(sqid text) returns bigint[]
language plpgsql immutable as $$
declare
    letters text := sqids_shuffle('abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789');
    cut constant int := strpos(letters, left(sqid, 1));
    rest text := substr(sqid, 2);
    digits text;
    numbers bigint[] := '{}';
begin
    letters := reverse(substr(letters, cut) || left(letters, cut - 1));
    while rest <> '' loop
        digits := split_part(rest, left(letters, 1), 1);
        numbers := numbers || 0::bigint;
        for at in 1..length(digits) loop
            numbers[cardinality(numbers)] :=
                numbers[cardinality(numbers)] * 61 + strpos(letters, substr(digits, at, 1)) - 2;
        end loop;
        rest := substr(rest, length(digits) + 2);
        letters := sqids_shuffle(letters);
    end loop;
    return numbers;
end $$;
--@ show bM Uk gb Ef Vq uw OI AX p6 nJ are
select string_agg(array_to_string(sqids_decode(sqid), ','), ' ' order by n)
from unnest('{bM,Uk,gb,Ef,Vq,uw,OI,AX,p6,nJ}'::text[]) with ordinality s (sqid, n);
--@ expect 0 1 2 3 4 5 6 7 8 9
--@ show 86Rf07 is
select array_to_string(sqids_decode('86Rf07'), ' ');
--@ expect 1 2 3

--@ claim public-size: prj_ and 26 letters take 31 bytes in the row where the uuid takes 16; their unique index is over 1.4 times as big
--@ why Print the prefix, do not store it.
-- The same rows in both tables, measured as by "keybench run public-id".
--@ run ../public-id.json
create function bytes_of(of_design text, of_metric text) returns bigint language sql as $$
    select value::bigint from figure where design = of_design and metric = of_metric and batch = 0
    and index_name in ('', 'public_id_' || of_design)
$$;
create function compared(of_metric text) returns text language sql as $$
    select format('text %s, uuid %s, %sx',
                  pg_size_pretty(t), pg_size_pretty(u), round(t::numeric / u, 2))
    from bytes_of('text', of_metric) t, bytes_of('uuid', of_metric) u
$$;
--@ show bytes as text
select bytes_of('text', 'key_bytes');
--@ expect 31
--@ show as uuid
select bytes_of('uuid', 'key_bytes');
--@ expect 16
--@ show index
select compared('index_bytes');
--@ show table
select compared('heap_bytes');
select bytes_of('text', 'index_bytes') > 1.4 * bytes_of('uuid', 'index_bytes');
--@ expect true

--@ claim encode-cost: a column whose default encodes the id takes over 1.5 times as long to fill as one of the plain uuid
--@ why Encode where an id is printed: few ids are, and a client has time.
create table text_id (
    id        bigint generated always as identity primary key,
    public_id text not null unique default 'prj_' || base32_encode(gen_random_uuid())
);
create table uuid_id (
    id        bigint generated always as identity primary key,
    public_id uuid not null unique default gen_random_uuid()
);
create function fill_ms(of_table regclass) returns numeric language plpgsql as $$
declare
    plan json;
begin
    execute format('truncate %s', of_table);
    execute format('explain (analyze, timing off, format json)
                    insert into %s select from generate_series(1, 10000)', of_table) into plan;
    return plan -> 0 ->> 'Execution Time';
end $$;
-- In turn, and the least of seven times each: what else the machine does only adds to them.
create table seen as
select min(fill_ms('text_id')) as text_ms, min(fill_ms('uuid_id')) as uuid_ms from generate_series(1, 7);
--@ show 10,000 rows
select format('text %s ms, uuid %s ms, %sx',
              round(text_ms), round(uuid_ms), round(text_ms / uuid_ms, 1)) from seen;
select text_ms > 1.5 * uuid_ms from seen;
--@ expect true

--@ claim lookup-plan: the look-up by prefixed id is one Index Scan with at most 4 buffers
--@ why The decoder is immutable and runs once, before the plan is made. The index compares uuids.
create table project (
    id        bigint generated always as identity primary key,
    public_id uuid not null unique
);
insert into project (public_id)
select v7_of(timestamptz '2026-01-05 00:00Z' + n * interval '1 ms', n)
from generate_series(1, 50000) n;
analyze project;
create function plan_of(query text) returns jsonb
language plpgsql as $$
declare
    plan json;
begin
    execute 'explain (analyze, buffers, format json) ' || query into plan;
    return plan -> 0 -> 'Plan';
end $$;
--@ set wanted select 'prj_' || base32_encode(public_id) from project where id = 12345
create table seen as
select plan ->> 'Node Type' as node,
       (plan ->> 'Shared Hit Blocks')::int + (plan ->> 'Shared Read Blocks')::int as buffers,
       (plan ->> 'Actual Rows')::numeric::int as found
from plan_of(format('select * from project where public_id = base32_decode(substr(%L, 5))',
                    :'wanted')) plan;
--@ show
select format('%s, %s buffers, %s row', node, buffers, found) from seen;
select node = 'Index Scan' and buffers <= 4 and found = 1 from seen;
--@ expect true
