-- What a UUID tells, how it sorts, and what its text costs.
--
-- The measured claims run scenarios whose ids keybench mints from a seed, so that every server builds
-- the same trees. v7_of() writes a version-7 id as RFC 9562, section 5.7, lays it out: 48 bits of
-- milliseconds, the version, 12 bits, the variant, 62 bits. A generator draws the bits that are
-- not given; here they are a hash of n.

--@ chapter uuids: What a UUID tells, how it sorts, and what its text costs

--@ setup
create function v7_of(made_at timestamptz, n bigint) returns uuid
language sql immutable strict parallel safe as $$
    select (lpad(to_hex(floor(extract(epoch from made_at) * 1000)::bigint), 12, '0')
            || '7' || substr(md5(n::text), 1, 3)
            || '8' || substr(md5(n::text), 4, 15))::uuid
$$;

--@ claim v7-time: a version-7 id tells when it was made, a version-1 id does, a version-4 id does not
--@ why Whoever sees a v7 id knows the age of the row to the millisecond. Where that is a secret,
--@ why show a version-4 id or a random token.
--@ needs version 18
--@ show seconds between now and the time in a v7
select round(abs(extract(epoch from clock_timestamp() - uuid_extract_timestamp(uuidv7()))));
select abs(extract(epoch from clock_timestamp() - uuid_extract_timestamp(uuidv7()))) < 60;
--@ expect true
--@ show in a v4
select uuid_extract_timestamp(gen_random_uuid());
--@ expect null
--@ show in a v1
select to_char(uuid_extract_timestamp('6ba7b810-9dad-11d1-80b4-00c04fd430c8') at time zone 'UTC',
               'YYYY-MM-DD HH24:MI:SS.US');
--@ expect 1998-02-04 22:13:53.151182

--@ claim v7-monotonic: a million uuidv7() of one session strictly increase, though many share a millisecond
--@ why The server counts in 12 bits below the millisecond, and steps on where the clock does not:
--@ why one session's rows go to the end of the index at any speed.
--@ needs version 18
create unlogged table minted as select n, uuidv7() as id from generate_series(1, 1000000) n;
create table seen as
select count(*) filter (where id > before) as rising,
       count(*) filter (where uuid_extract_timestamp(id) is distinct from
                              uuid_extract_timestamp(before)) as milliseconds
from (select id, lag(id) over (order by n) as before from minted) neighbours;
--@ show
select format('%s of 999999 are greater than the one before, in %s different milliseconds',
              rising, milliseconds)
from seen;
select rising = 999999 and milliseconds < 100000 from seen;
--@ expect true

--@ claim v7-across: order holds inside one generator only: ids of two sessions interleave, and those of a slow clock come first
--@ why A version-7 key is no position in a log. Another session or machine may still add rows
--@ why below the largest id that you have read.
--@ needs version 18
create table event (id uuid primary key default uuidv7(), maker text not null);
--@ session a
insert into event (maker) values ('a1');
--@ session b
insert into event (maker) values ('b1');
--@ session a
insert into event (maker) values ('a2');
--@ session b
insert into event (maker) values ('b2');
--@ show in the order of ids
select string_agg(maker, ' ' order by id) from event;
--@ expect a1 b1 a2 b2
-- One row more, from a machine whose clock is an hour slow.
insert into event (id, maker) values (uuidv7(interval '-1 hour'), 'slow');
--@ show with one more from a slow clock
select string_agg(maker, ' ' order by id) from event;
--@ expect slow a1 b1 a2 b2

--@ claim v7-shift: uuidv7(interval '5 years') sorts after every id of today, and tells a time that is years ahead
--@ why A shift can hide the true time, and breaks the order with all ids that were not shifted:
--@ why shift all ids of a table by the same interval, or none.
--@ needs version 18
create table event (id uuid primary key, shifted boolean not null);
insert into event select uuidv7(interval '5 years'), true;
insert into event select uuidv7(), false from generate_series(1, 1000);
--@ show later ids that sort after it
select count(*) from event where not shifted and id > (select id from event where shifted);
--@ expect 0
--@ show years ahead
select round(extract(epoch from uuid_extract_timestamp(id) - now()) / (365.25 * 86400), 1)
from event where shifted;
select uuid_extract_timestamp(id) - now() > interval '4 years' from event where shifted;
--@ expect true

--@ claim v4-alias: uuidv4() makes version 4, as gen_random_uuid() does
--@ why Only the name is new. Existing defaults need no migration, and both are random in an index.
--@ needs version 18
--@ show versions of 1,000 uuidv4()
select string_agg(distinct uuid_extract_version(uuidv4())::text, ' ') from generate_series(1, 1000);
--@ expect 4
--@ show of 1,000 gen_random_uuid()
select string_agg(distinct uuid_extract_version(gen_random_uuid())::text, ' ')
from generate_series(1, 1000);
--@ expect 4

--@ claim v1-mac: a version-1 id carries the network address of the machine that made it, and the time
--@ why Version-1 keys tell a stranger which of your machines wrote a row, and when. UUIDv7 tells
--@ why only when.
-- The id is the DNS name space of RFC 9562, section 6.6, which a real machine made. The last 48
-- bits are its network card's address; the time counts 100 ns from 1582-10-15, low bits first.
create function v1_node(id uuid) returns macaddr
language sql immutable as $$
    select case when substr(id::text, 15, 1) = '1' then right(id::text, 12)::macaddr end
$$;
create function v1_time(id uuid) returns timestamptz
language sql immutable as $$
    select case when substr(id::text, 15, 1) = '1' then
               timestamptz '1582-10-15 00:00Z' + interval '1 us' * (ticks / 10) end
    from (select ('x' || substr(id::text, 16, 3) || substr(id::text, 10, 4) || left(id::text, 8))
                 ::bit(60)::bigint) t (ticks)
$$;
--@ show network address
select v1_node('6ba7b810-9dad-11d1-80b4-00c04fd430c8');
--@ expect 00:c0:4f:d4:30:c8
--@ show made at
select to_char(v1_time('6ba7b810-9dad-11d1-80b4-00c04fd430c8') at time zone 'UTC',
               'YYYY-MM-DD HH24:MI:SS.US');
--@ expect 1998-02-04 22:13:53.151182

--@ claim v3v5-hash: versions 3 and 5 hash a name: the same name gives the same id
--@ why An import that hashes its source's names can run twice. In an index such ids are as random
--@ why as version 4, and whoever guesses a name can check it.
--@ needs extension pgcrypto
-- Version 3 is the first 16 bytes of md5, version 5 of sha1, over name space and name, with the
-- bits of version and variant set. The names and ids are those of RFC 9562, appendix A.2 and A.4.
create function name_id(name text, algorithm text, version text) returns uuid
language sql immutable as $$
    select (substr(hash, 1, 12) || version || substr(hash, 14, 3)
            || to_hex((('x' || substr(hash, 17, 1))::bit(4)::int & 3) | 8)
            || substr(hash, 18, 15))::uuid
    from (select encode(digest(uuid_send('6ba7b810-9dad-11d1-80b4-00c04fd430c8')
                               || convert_to(name, 'UTF8'), algorithm), 'hex')) h (hash)
$$;
--@ show v3 of www.example.com
select name_id('www.example.com', 'md5', '3');
--@ expect 5df41881-3aed-3515-88a7-2f4a814cf09e
create table page (id uuid primary key, name text not null);
--@ show v5
insert into page values (name_id('www.example.com', 'sha1', '5'), 'www.example.com') returning id;
--@ expect 2ed6657d-e927-568b-95e1-2665a8aea6a2
--@ error 23505 (id)=(2ed6657d-e927-568b-95e1-2665a8aea6a2) already exists
insert into page values (name_id('www.example.com', 'sha1', '5'), 'www.example.com');

--@ claim late-density: ids synced a week late leave leaves at least 10 points less full than the same ids on time
--@ why Offline clients mint version-7 ids and send them later. They land in leaves that are full,
--@ why and split them as random ids do.
-- Two tables with the same 100,000 ids of one week; then 20,000 more, made after that week or at
-- random moments of it. Measured as by "keybench run late-arrivals".
--@ run ../late-arrivals.json
create function leaves_of(of_design text, of_metric text) returns numeric language sql as $$
    select round(value::numeric, 2) from figure
    where design = of_design and phase = 'then' and metric = of_metric
$$;
create function leaves_of(of_design text) returns text language sql as $$
    select format('%s %% full, %s leaf pages', leaves_of(of_design, 'leaf_density_pct'),
                  trunc(leaves_of(of_design, 'leaf_pages')))
$$;
--@ show late
select leaves_of('late');
--@ show on time
select leaves_of('on-time');
select leaves_of('on-time', 'leaf_density_pct') - leaves_of('late', 'leaf_density_pct') >= 10;
--@ expect true

--@ claim text-size: the same ids as text make an index over 1.7 times as big, and a table over 1.4 times
--@ why A uuid takes 16 bytes; its text takes 36 and a length byte, in every index and every
--@ why reference. Drivers hand a uuid over as text anyway.
-- The same ids in both columns, measured as by "keybench run uuid-as-text-quick".
--@ run ../uuid-as-text-quick.json
create function bytes_of(of_design text, of_metric text) returns bigint language sql as $$
    select value::bigint from figure where design = of_design and metric = of_metric and batch = 0
$$;
create function compared(of_metric text) returns text language sql as $$
    select format('text %s, uuid %s, %sx',
                  pg_size_pretty(t), pg_size_pretty(u), round(t::numeric / u, 2))
    from bytes_of('text', of_metric) t, bytes_of('uuid', of_metric) u
$$;
--@ show index
select compared('index_bytes');
--@ show table
select compared('heap_bytes');
select bytes_of('text', 'index_bytes') > 1.7 * bytes_of('uuid', 'index_bytes');
--@ expect true
select bytes_of('text', 'heap_bytes') > 1.4 * bytes_of('uuid', 'heap_bytes');
--@ expect true

--@ claim text-case: an upper-case copy of an id is the same uuid, and a second "unique" value as text
--@ why One client that writes its ids in capitals makes duplicates that no constraint reports.
create table as_text (id text primary key);
insert into as_text values ('0198c2a4-8e4b-7d3a-9f10-5b6c7d8e9fa0');
insert into as_text values ('0198C2A4-8E4B-7D3A-9F10-5B6C7D8E9FA0');
--@ show rows as text
select count(*) from as_text;
--@ expect 2
create table as_uuid (id uuid primary key);
insert into as_uuid values ('0198c2a4-8e4b-7d3a-9f10-5b6c7d8e9fa0');
--@ error 23505 (id)=(0198c2a4-8e4b-7d3a-9f10-5b6c7d8e9fa0) already exists
insert into as_uuid values ('0198C2A4-8E4B-7D3A-9F10-5B6C7D8E9FA0');

--@ claim clock-input: a check can refuse ids that are not version 7, or that say they were made in the future
--@ why An id from outside is input like any other. Rows of a client with a fast clock would sort
--@ why behind everything that is written for years.
create function is_v7_before(id uuid, latest timestamptz) returns boolean
language sql immutable strict parallel safe as $$
    select substr(id::text, 15, 1) = '7' and substr(id::text, 20, 1) in ('8', '9', 'a', 'b')
           and ('x' || left(replace(id::text, '-', ''), 12))::bit(48)::bigint
               <= extract(epoch from latest) * 1000
$$;
create table upload (
    id uuid primary key,
    constraint honest_id check (is_v7_before(id, now() + interval '1 minute'))
);
insert into upload values (v7_of(now(), 1));
--@ show honest ids accepted
select count(*) from upload;
--@ expect 1
-- A version-4 id. Its first bits would be a time in 2014.
--@ error 23514 honest_id
insert into upload values ('0147ac10-58cc-4372-a567-0e02b2c3d479');
-- One from a machine whose clock is five years fast.
--@ error 23514 honest_id
insert into upload values (v7_of(now() + interval '5 years', 2));
-- A malformed one: the type itself refuses it.
--@ error 22P02 invalid input syntax for type uuid
insert into upload values ('0198c2a4-8e4b-7d3a-9f10-5b6c7d8e9fa');
