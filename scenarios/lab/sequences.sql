-- What the numbers of an identity column promise, and what they do not. An identity column is a
-- sequence with an owner: all that is shown here of one holds for the other, and for serial.

--@ chapter sequences: What a sequence promises, and what not

--@ claim seq-rollback: a value taken by a transaction that rolled back is not given again
--@ why Gaps in ids are normal. Whoever counts rows by the largest id, or looks for lost rows in the
--@ why gaps, looks in the wrong place.
create table invoice (id bigint generated always as identity primary key, total int);
insert into invoice (total) values (100);
begin;
--@ show rolled back
insert into invoice (total) values (200) returning id;
--@ expect 2
rollback;
insert into invoice (total) values (300);
--@ show kept
select string_agg(id::text, ', ' order by id) from invoice;
--@ expect 1, 3

--@ claim seq-conflict: a row that "on conflict" skips has used a value all the same
--@ why A service that repeats its inserts to be safe burns ids as fast as it is called: an integer
--@ why key can run out while the table stays small.
create table account (
    id    bigint generated always as identity primary key,
    email text not null unique
);
insert into account (email) values ('ann@example.org');
-- Three retries that insert nothing.
insert into account (email) values ('ann@example.org') on conflict do nothing;
insert into account (email) values ('ann@example.org') on conflict do nothing;
insert into account (email) values ('ann@example.org') on conflict do nothing;
insert into account (email) values ('bob@example.org');
--@ show ids
select string_agg(id::text, ', ' order by id) from account;
--@ expect 1, 5

--@ claim seq-cache: values that a session has cached are lost when it ends
--@ why A cache makes many writers faster, and each of their sessions leaves a gap. The order of ids
--@ why is then not the order of inserts either.
create sequence ticket cache 20;
--@ show first session
select nextval('ticket');
--@ expect 1
--@ disconnect
--@ show the next one
select nextval('ticket');
--@ expect 21

--@ claim seq-crash: a crash may skip values, it never repeats one
--@ why The server writes ahead that 32 more values are taken. What was committed stays unique over
--@ why any crash; that the numbers are without gaps was never promised.
create table event (id bigint generated always as identity primary key, n int);
insert into event (n) values (1), (2), (3);
--@ set before_kill select max(id) from event
--@ crash
--@ show after kill -9
insert into event (n) values (4) returning format('%s follows %s', id, :'before_kill');
select max(id) > :'before_kill'::bigint from event;
--@ expect true
--@ set before_shutdown select max(id) from event
--@ restart
--@ show after an immediate shutdown
insert into event (n) values (5) returning format('%s follows %s', id, :'before_shutdown');
select max(id) > :'before_shutdown'::bigint from event;
--@ expect true
select count(*), count(distinct id) from event;
--@ expect 5, 5

--@ claim seq-commit-order: whoever polls for "id > last seen" never sees a row that committed late
--@ why Ids are handed out at the insert, rows are seen at the commit. A feed, an outbox or an export
--@ why that remembers the largest id loses rows without any error; no key format changes that.
create table outbox (id bigint generated always as identity primary key, body text);
--@ session a
begin;
--@ show a takes
insert into outbox (body) values ('from a') returning id;
--@ session b
--@ show b takes and commits
insert into outbox (body) values ('from b') returning id;
--@ session poller
--@ show a first poll sees
select string_agg(body, ', ' order by id) from outbox;
--@ expect from b
--@ set last_seen select max(id) from outbox
--@ session a
commit;
--@ session poller
-- From here on the poller asks for what is newer; the row of session a is there and is not newer.
--@ show the next sees
select count(*) from outbox where id > :'last_seen';
--@ expect 0
--@ show in the table
select count(*) from outbox;
--@ expect 2

--@ claim seq-always: "generated always" refuses an id that the caller brings
--@ why With "by default" instead an import or a careless client inserts its own ids, and the
--@ why sequence runs into them later, somewhere else.
create table customer (id bigint generated always as identity primary key, name text);
--@ error 428C9 cannot insert a non-DEFAULT value into column "id"
insert into customer (id, name) values (7, 'Ann');

--@ claim seq-import: after an import of ids the next plain insert takes one of them again
--@ why An import does not move the sequence. The first insert after a migration fails, the next ones
--@ why fail too, and after as many failures as rows were imported all is well again.
create table customer (id bigint generated always as identity primary key, name text);
insert into customer (id, name) overriding system value
values (1, 'Ann'), (2, 'Bob'), (3, 'Cem');
--@ error 23505 customer_pkey ... (id)=(1)
insert into customer (name) values ('Dee');

--@ claim seq-setval: setval to the largest id repairs that
--@ why One statement at the end of every import; in a script, for every table with an identity.
create table customer (id bigint generated always as identity primary key, name text);
insert into customer (id, name) overriding system value
values (1, 'Ann'), (2, 'Bob'), (3, 'Cem');
select setval(pg_get_serial_sequence('customer', 'id'), (select max(id) from customer));
--@ show next id
insert into customer (name) values ('Dee') returning id;
--@ expect 4

--@ claim seq-logical: logical replication copies rows, not where the sequence stands
--@ why A subscriber that becomes the primary hands out ids that its rows have already. Move the
--@ why sequences in the same step as the writers, or use keys that no sequence makes.
--@ server publisher with wal_level=logical
create table parcel (id bigint generated by default as identity primary key, city text);
insert into parcel (city) values ('Basel'), ('Bern'), ('Biel');
create publication parcels for table parcel;
--@ set publisher
select format('host=%s port=%s dbname=%s user=%s',
              btrim(current_setting('unix_socket_directories'), '"'), current_setting('port'),
              current_database(), current_user);
--@ server subscriber
create table parcel (id bigint generated by default as identity primary key, city text);
create subscription parcels connection :'publisher' publication parcels;
--@ until
select count(*) = 3 from parcel;
--@ show largest id on the subscriber
select max(id) from parcel;
--@ expect 3
--@ error 23505 parcel_pkey ... (id)=(1)
insert into parcel (city) values ('Thun');
--@ show
select case
    when current_setting('server_version_num')::int >= 190000 then
        '19 can copy them too: a publication for all sequences, then '
        'alter subscription ... refresh sequences'
    else 'up to 18 nothing copies them'
end;
drop subscription parcels;

--@ claim identity-no-unique: an identity column alone does not make values unique, its primary key does
--@ why "generated ... as identity" is a default and a rule for inserts. Uniqueness is an index, and
--@ why only a constraint makes one.
create table loose (id bigint generated always as identity, name text);
insert into loose (id, name) overriding system value values (1, 'imported');
insert into loose (name) values ('generated');
--@ show rows with id 1, without a primary key
select count(*) from loose where id = 1;
--@ expect 2
create table strict (id bigint generated always as identity primary key, name text);
insert into strict (id, name) overriding system value values (1, 'imported');
--@ error 23505 strict_pkey
insert into strict (name) values ('generated');
