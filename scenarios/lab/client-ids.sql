-- What changes when the client makes the id before it sends the row.

--@ chapter client-ids: Ids that the client makes: retries, upserts, graphs

--@ claim client-retry: with unique (account_id, client_id) a retry inserts nothing, and the first row stands
--@ why A client that got no answer sends again. An id that it made before the first try tells the
--@ why retry from a second order.
create table purchase (
    id         bigint generated always as identity primary key,
    account_id int not null,
    client_id  uuid not null,
    item       text not null,
    unique (account_id, client_id)
);
insert into purchase (account_id, client_id, item)
values (7, '0198c2a4-8e4b-7d3a-9f10-5b6c7d8e9fa0', 'one lamp')
on conflict do nothing;
--@ show the retry inserts
insert into purchase (account_id, client_id, item)
values (7, '0198c2a4-8e4b-7d3a-9f10-5b6c7d8e9fa0', 'two lamps')
on conflict do nothing
returning id;
--@ expect no row
--@ show the account has
select string_agg(item, ', ' order by id) from purchase where account_id = 7;
--@ expect one lamp
-- The pair is unique: what another account chose as its client's id is no conflict.
insert into purchase (account_id, client_id, item)
values (8, '0198c2a4-8e4b-7d3a-9f10-5b6c7d8e9fa0', 'a chair')
on conflict do nothing;
--@ show another account, with the same client id
select string_agg(item, ', ' order by id) from purchase where account_id = 8;
--@ expect a chair

--@ claim upsert-leak: "on conflict (id) do update" with an id seen in a URL rewrites another account's row
--@ why Where clients name the rows that they insert, an upsert by the key alone is a write to
--@ why anybody's row. Nothing fails, so nobody notices.
create table note (id uuid primary key, account_id int not null, body text not null);
insert into note values ('0198c2a4-8e4b-7d3a-9f10-5b6c7d8e9fa0', 7, 'written by 7');
-- Account 8 has seen the id in a link.
insert into note values ('0198c2a4-8e4b-7d3a-9f10-5b6c7d8e9fa0', 8, 'written by 8')
on conflict (id) do update set body = excluded.body;
--@ show account 7 reads
select body from note where account_id = 7;
--@ expect written by 8

--@ claim upsert-safe: "do nothing returning id" inserts nothing, and the caller's look-up finds no row: refused
--@ why The insert never touches a row that exists. When it returns nothing, a look-up with the
--@ why caller's account tells a retry, which finds its row, from a foreign id, which finds none.
create table note (id uuid primary key, account_id int not null, body text not null);
insert into note values ('0198c2a4-8e4b-7d3a-9f10-5b6c7d8e9fa0', 7, 'written by 7');
--@ show account 8 inserts
insert into note values ('0198c2a4-8e4b-7d3a-9f10-5b6c7d8e9fa0', 8, 'written by 8')
on conflict (id) do nothing
returning id;
--@ expect no row
--@ show and finds
select body from note where id = '0198c2a4-8e4b-7d3a-9f10-5b6c7d8e9fa0' and account_id = 8;
--@ expect no row
--@ show account 7 retries, and finds
select body from note where id = '0198c2a4-8e4b-7d3a-9f10-5b6c7d8e9fa0' and account_id = 7;
--@ expect written by 7

--@ claim graph: with client-made keys parent and children go in one round trip; identity keys need one a level
--@ why With 40 ms to the server three levels take 120 ms instead of 40, and a client that is
--@ why offline cannot build them at all.
-- statement_timestamp() is when the client's message arrived: rows of one round trip share it.
create table project (
    id      uuid primary key,
    sent_at timestamptz not null default statement_timestamp()
);
create table list (
    id         uuid primary key,
    project_id uuid not null references project,
    sent_at    timestamptz not null default statement_timestamp()
);
create table task (
    id      uuid primary key,
    list_id uuid not null references list,
    sent_at timestamptz not null default statement_timestamp()
);
with new_project as (
    insert into project (id) values ('0198c2a4-8e4b-7000-8000-000000000001')
), new_list as (
    insert into list (id, project_id)
    values ('0198c2a4-8e4b-7000-8000-000000000002', '0198c2a4-8e4b-7000-8000-000000000001')
)
insert into task (id, list_id)
values ('0198c2a4-8e4b-7000-8000-000000000003', '0198c2a4-8e4b-7000-8000-000000000002'),
       ('0198c2a4-8e4b-7000-8000-000000000004', '0198c2a4-8e4b-7000-8000-000000000002');
--@ show round trips with client-made keys
select count(distinct sent_at)
from (select sent_at from project
      union all select sent_at from list
      union all select sent_at from task) row_sent;
--@ expect 1

-- The same with identity keys: each level waits for the key of the one above.
create table n_project (
    id      bigint generated always as identity primary key,
    sent_at timestamptz not null default statement_timestamp()
);
create table n_list (
    id         bigint generated always as identity primary key,
    project_id bigint not null references n_project,
    sent_at    timestamptz not null default statement_timestamp()
);
create table n_task (
    id      bigint generated always as identity primary key,
    list_id bigint not null references n_list,
    sent_at timestamptz not null default statement_timestamp()
);
--@ set project
insert into n_project default values returning id;
--@ set list
insert into n_list (project_id) values (:'project') returning id;
insert into n_task (list_id) values (:'list'), (:'list');
--@ show with identity keys
select count(distinct sent_at)
from (select sent_at from n_project
      union all select sent_at from n_list
      union all select sent_at from n_task) row_sent;
--@ expect 3
