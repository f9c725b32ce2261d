-- What a counter tells a stranger, and what two counters cannot share.
--
-- The shop of the first two claims has 2,000,000 orders of 960 accounts. PostgreSQL's own hash says
-- whose an order is. The seed and the account are chosen so that the figures are those of a
-- published example; the last step of tank-5 looks at all accounts.

--@ chapter counters: What a counter tells, and what two counters cannot share

--@ setup
create function account_of(n bigint) returns bigint
language sql immutable parallel safe as $$ select abs(hashint8extended(n, 41) % 960) $$;

-- The largest of k ids is m: the counter stands at about m + m / k - 1. This is how the number of
-- tanks was estimated from the serial numbers of a few.
create function estimate(m bigint, k bigint) returns bigint
language sql immutable as $$ select round(m + m::numeric / k - 1)::bigint $$;

-- A version-7 id of this moment, on servers before 18 too.
create function v7_now() returns uuid
language sql volatile as $$
    select (lpad(to_hex((extract(epoch from clock_timestamp()) * 1000)::bigint), 12, '0')
            || '7' || substr(replace(gen_random_uuid()::text, '-', ''), 14))::uuid
$$;

--@ claim tank-5: five order numbers that a customer has seen tell how many orders there are, here within 5 %
--@ why Order numbers in mails and URLs publish your sales: every customer is a sample.
create unlogged table purchase (id bigint generated always as identity, account_id int not null);
insert into purchase (account_id) select account_of(n) from generate_series(1, 2000000) n;
-- Five of the account's ids, chosen by a hash.
create table seen as
select id from purchase where account_id = 424 order by md5(id::text) limit 5;
--@ show seen
select string_agg(id::text, ' ' order by id) from seen;
--@ show estimated
select estimate(max(id), count(*)) from seen;
--@ expect 1958825
--@ show there are
select count(*) from purchase;
--@ expect 2000000
select abs(estimate(max(id), count(*)) - 2000000) < 0.05 * 2000000 from seen;
--@ expect true
-- This account was lucky. How far off are all the others with five ids of theirs?
create table guess as
select abs(estimate(ids[array_upper(ids, 1)], 5) - 2000000) / 2000000.0 as error
from (select array_agg(id order by id) as ids
      from (select id, account_id,
                   row_number() over (partition by account_id order by md5(id::text)) as rank
            from purchase where md5(id::text) < '1') ranked
      where rank <= 5 group by account_id) five;
--@ show half of all accounts come within
select round(100 * percentile_cont(0.5) within group (order by error)::numeric, 1) || ' %'
from guess;
select percentile_cont(0.5) within group (order by error) < 0.2 from guess;
--@ expect true

--@ claim tank-all: all ids of that account estimate the number of orders within 0.1 %
--@ why With a history of some size no luck is needed. The export of a customer's own orders holds
--@ why your total.
create unlogged table purchase (id bigint generated always as identity, account_id int not null);
insert into purchase (account_id) select account_of(n) from generate_series(1, 2000000) n;
--@ show ids of the account
select count(*) from purchase where account_id = 424;
--@ expect 2084
--@ show estimated
select estimate(max(id), count(*)) from purchase where account_id = 424;
select abs(estimate(max(id), count(*)) - 2000000) < 0.001 * 2000000
from purchase where account_id = 424;
--@ expect true

--@ claim growth: the difference of two ids a week apart is exactly that week's number of rows
--@ why Two orders of one's own, a week apart, are a sales report. Neither a random nor a
--@ why time-ordered id counts anything.
-- Four weeks of a shop with 2,000,000 orders in 365 days: one every 15.768 s.
create table purchase (
    id         bigint generated always as identity primary key,
    ordered_at timestamptz not null
);
insert into purchase (ordered_at)
select timestamptz '2026-01-05 00:00Z' + n * interval '15.768 s' from generate_series(0, 153424) n;
-- An outsider orders on two Mondays, and reads the numbers on the receipts.
--@ set monday select min(id) from purchase where ordered_at >= '2026-01-12 00:00Z'
--@ set monday_after select min(id) from purchase where ordered_at >= '2026-01-19 00:00Z'
--@ show difference of the ids
select :'monday_after'::bigint - :'monday'::bigint;
--@ expect 38356
--@ show orders of the week
select count(*) from purchase
where ordered_at >= '2026-01-12 00:00Z' and ordered_at < '2026-01-19 00:00Z';
--@ expect 38356

--@ claim counters-collide: two databases both hand out 42; copies merged without a mapping point at the wrong parent, with v7 keys at the right one
--@ why Merging regions or companies is a plain copy when ids are unique everywhere. With counters
--@ why it is a new id for every row, and a rewrite of every reference to it.
-- A row of each database has both kinds of key, so that one merge shows both.
--@ database north
create table customer (
    id   bigint generated always as identity primary key,
    key  uuid unique default v7_now(),
    name text not null
);
create table purchase (customer_id bigint references customer, customer_key uuid, item text);
insert into customer (name) select 'north ' || n from generate_series(1, 42) n;
insert into purchase select id, key, 'lamp' from customer where name = 'north 42';
--@ set north_customer select json_agg(c) from customer c
--@ set north_purchase select json_agg(p) from purchase p
--@ database south
create table customer (
    id   bigint generated always as identity primary key,
    key  uuid unique default v7_now(),
    name text not null
);
create table purchase (customer_id bigint references customer, customer_key uuid, item text);
insert into customer (name) select 'south ' || n from generate_series(1, 42) n;
insert into purchase select id, key, 'chair' from customer where name = 'south 42';
--@ set south_customer select json_agg(c) from customer c
--@ set south_purchase select json_agg(p) from purchase p
--@ database main
create table customer (
    id   bigint generated always as identity primary key,
    key  uuid unique,
    name text not null
);
create table purchase (
    customer_id  bigint references customer,
    customer_key uuid references customer (key),
    item         text
);
insert into customer overriding system value
select * from json_populate_recordset(null::customer, :'north_customer');
insert into purchase select * from json_populate_recordset(null::purchase, :'north_purchase');
-- The numbers of south's customers are taken ...
--@ error 23505 (id)=(1) already exists
insert into customer overriding system value
select * from json_populate_recordset(null::customer, :'south_customer');
-- ... so they get new ones. Their purchases are copied as they are.
select setval(pg_get_serial_sequence('customer', 'id'), max(id)) from customer;
insert into customer (key, name)
select key, name from json_populate_recordset(null::customer, :'south_customer');
insert into purchase select * from json_populate_recordset(null::purchase, :'south_purchase');
--@ show by counter, the chair of south 42 belongs to
select name from purchase join customer on id = customer_id where item = 'chair';
--@ expect north 42
--@ show by v7 key, to
select name from purchase join customer on key = customer_key where item = 'chair';
--@ expect south 42

--@ claim idor: without the account in the query id + 1 shows a neighbour's row; with it, nothing
--@ why A counter tells everybody the next id. The condition on the account is what protects a row,
--@ why whatever its key is; a key that cannot be guessed only hides that it is missing.
create table invoice (
    id         bigint generated always as identity primary key,
    account_id int not null,
    total      int not null
);
insert into invoice (account_id, total) values (7, 120), (8, 9900);
--@ set mine select id from invoice where account_id = 7
--@ show account 7 asks for its id + 1
select format('account %s, total %s', account_id, total)
from invoice where id = :'mine'::bigint + 1;
--@ expect account 8, total 9900
--@ show with the account in the query
select format('account %s, total %s', account_id, total)
from invoice where id = :'mine'::bigint + 1 and account_id = 7;
--@ expect no row
