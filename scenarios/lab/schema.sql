-- Natural and surrogate keys, the references to them, and how a schema that lives gets a new key.

--@ chapter schema: Keys in a schema: natural, surrogate, references, migration

--@ claim natural-change: a natural key that changes rewrites every row that references it
--@ why "It never changes" holds until two companies merge or a law is passed. With a surrogate the
--@ why same correction is one row.
create table by_number (number text primary key, name text);
create table by_number_purchase (
    id     bigint generated always as identity primary key,
    number text not null references by_number on update cascade
);
create table by_id (
    id     bigint generated always as identity primary key,
    number text not null unique,
    name   text
);
create table by_id_purchase (
    id          bigint generated always as identity primary key,
    customer_id bigint not null references by_id
);
insert into by_number (number, name) values ('C-104', 'Ann');
insert into by_id (number, name) values ('C-104', 'Ann');
insert into by_number_purchase (number) select 'C-104' from generate_series(1, 1000);
insert into by_id_purchase (customer_id) select 1 from generate_series(1, 1000);

-- A row's xmin is the transaction that wrote it.
begin;
update by_number set number = 'C-204';
--@ show natural, purchases rewritten
select count(*) from by_number_purchase where xmin = pg_current_xact_id()::xid;
--@ expect 1000
commit;
begin;
update by_id set number = 'C-204';
--@ show surrogate, purchases rewritten
select count(*) from by_id_purchase where xmin = pg_current_xact_id()::xid;
--@ expect 0
commit;

--@ claim surrogate-rename: a customer's number changes, and the order's reference stays as it is
--@ why What people call a thing and what the database calls it are two columns.
create table customer (
    id     bigint generated always as identity primary key,
    number text not null unique
);
create table purchase (
    id          bigint generated always as identity primary key,
    customer_id bigint not null references customer
);
insert into customer (number) values ('C-104');
insert into purchase (customer_id) values (1);
update customer set number = 'C-204' where number = 'C-104';
--@ show join
select p.id, p.customer_id, c.number from purchase p join customer c on c.id = p.customer_id;
--@ expect 1, 1, C-204

--@ claim surrogate-duplicate: the natural key stays unique beside the surrogate, by a constraint of its own
--@ why A surrogate key replaces the reference, not the rule. The error names the constraint and the
--@ why value, so a program can tell the user; the refused row has used an id.
create table customer (
    id     bigint generated always as identity primary key,
    number text not null unique
);
insert into customer (number) values ('C-204');
--@ error 23505 customer_number_key ... (number)=(C-204)
insert into customer (number) values ('C-204');
--@ show next id
insert into customer (number) values ('C-205') returning id;
--@ expect 3

--@ claim surrogate-not-unique: without that constraint the same customer goes in twice
--@ why The most common fault of schemas with surrogate keys: every row is unique, and the customer is
--@ why there two times.
create table customer (
    id     bigint generated always as identity primary key,
    number text not null
);
insert into customer (number) values ('C-204');
insert into customer (number) values ('C-204');
--@ show customers with this number
select count(*) from customer where number = 'C-204';
--@ expect 2

--@ claim concurrent-register: of two sessions that register one number the second waits for the first
--@ why The constraint decides, not a look-up before the insert: both sessions would see nothing.
create table customer (
    id     bigint generated always as identity primary key,
    number text not null unique
);
-- The first commits, and the second fails.
--@ session first
begin;
insert into customer (number) values ('C-300');
--@ session second
--@ blocks
insert into customer (number) values ('C-300');
--@ session first
commit;
--@ resumes second error 23505 customer_number_key
-- The first rolls back, and the second succeeds.
begin;
insert into customer (number) values ('C-301');
--@ session second
--@ blocks
insert into customer (number) values ('C-301') returning number;
--@ session first
rollback;
--@ resumes second
--@ expect C-301

--@ claim fk-not-indexed: PostgreSQL makes no index on the column that references
--@ why Each delete of a parent, and each join from it, reads the whole child table until somebody
--@ why makes the index. With a v4 key that index then costs what the primary key costs.
create table customer (id bigint generated always as identity primary key);
create table purchase (
    id          bigint generated always as identity primary key,
    customer_id bigint not null references customer
);
--@ show indexes on the reference
select count(*)
from pg_index i join pg_attribute a on a.attrelid = i.indrelid and a.attnum = any (i.indkey)
where i.indrelid = 'purchase'::regclass and a.attname = 'customer_id';
--@ expect 0
--@ show all indexes of the child
select string_agg(indexrelid::regclass::text, ', ') from pg_index
where indrelid = 'purchase'::regclass;
--@ expect purchase_pkey

--@ claim fk-type: a uuid column cannot reference a text key; another integer type can, at the price of a conversion
--@ why A key stored as text drags every reference along. An integer reference to a bigint key works
--@ why until the key passes two thousand million, and then the child cannot say whom it means.
create table by_text (id text primary key);
--@ error 42804 incompatible types ... uuid ... text
create table by_text_child (parent_id uuid references by_text);
create table wide (id bigint primary key);
create table narrow_child (parent_id integer references wide);
--@ show compared by
select conpfeqop[1]::regoperator from pg_constraint
where conrelid = 'narrow_child'::regclass and contype = 'f';
--@ expect =(bigint,integer)
insert into wide values (1), (3000000000);
insert into narrow_child values (1);
--@ error 22003 integer out of range
insert into narrow_child values (3000000000);

--@ claim uuid-variants: the same schema keyed by uuidv4() and by uuidv7() works alike
--@ why The choice between the two is about pages and time, not about SQL: a schema can change its
--@ why default for new rows in one statement.
--@ needs version 18
create table customer_v4 (id uuid default uuidv4() primary key, number text not null unique);
create table purchase_v4 (
    id          uuid default uuidv4() primary key,
    customer_id uuid not null references customer_v4
);
create table customer_v7 (id uuid default uuidv7() primary key, number text not null unique);
create table purchase_v7 (
    id          uuid default uuidv7() primary key,
    customer_id uuid not null references customer_v7
);
with added as (insert into customer_v4 (number) values ('C-1') returning id)
insert into purchase_v4 (customer_id) select id from added, generate_series(1, 3);
with added as (insert into customer_v7 (number) values ('C-1') returning id)
insert into purchase_v7 (customer_id) select id from added, generate_series(1, 3);
--@ show v4
select c.number, count(*), min(uuid_extract_version(p.id))
from purchase_v4 p join customer_v4 c on c.id = p.customer_id group by c.number;
--@ expect C-1, 3, 4
--@ show v7
select c.number, count(*), min(uuid_extract_version(p.id))
from purchase_v7 p join customer_v7 c on c.id = p.customer_id group by c.number;
--@ expect C-1, 3, 7
--@ error 23503 purchase_v4_customer_id_fkey
insert into purchase_v4 (customer_id) values (uuidv4());
--@ error 23503 purchase_v7_customer_id_fkey
insert into purchase_v7 (customer_id) values (uuidv7());
-- From now on the old table makes time-ordered keys; its references do not notice.
alter table customer_v4 alter column id set default uuidv7();
--@ show new default
insert into customer_v4 (number) values ('C-2') returning uuid_extract_version(id);
--@ expect 7

--@ claim tenant-fk: a composite foreign key refuses another tenant's owner
--@ why A plain reference accepts any id that exists, also one that a client read in somebody else's
--@ why URL. With the account in the key the database itself keeps tenants apart.
create table member (
    account_id bigint not null,
    id         bigint not null,
    primary key (account_id, id)
);
create table project (
    id         bigint generated always as identity primary key,
    account_id bigint not null,
    owner_id   bigint not null,
    constraint project_owner_in_account
        foreign key (account_id, owner_id) references member (account_id, id)
);
insert into member values (1, 10), (2, 20);
insert into project (account_id, owner_id) values (1, 10);
--@ error 23503 project_owner_in_account
insert into project (account_id, owner_id) values (1, 20);

--@ claim backfill: 20,000 rows get a v7 id that embeds the time they were created at, in batches
--@ why An old table gets time-ordered public ids that sort as its rows do, while it is in use. The
--@ why default comes first: a row inserted meanwhile is then never without an id.
--@ needs version 18
create table document (
    id         bigint generated always as identity primary key,
    created_at timestamptz not null
);
insert into document (created_at)
select now() - interval '300 days' + n * interval '20 minutes' from generate_series(1, 20000) n;
alter table document add column public_id uuid;
alter table document alter column public_id set default uuidv7();
create procedure fill(first bigint, last bigint) language plpgsql as $$
begin
    for start in first .. last by 1000 loop
        update document set public_id = uuidv7(created_at - clock_timestamp())
        where id between start and start + 999 and public_id is null;
        commit;
    end loop;
end $$;
call fill(1, 10000);
--@ session writer
insert into document (created_at) values (clock_timestamp());
--@ session main
call fill(10001, 20000);
create unique index concurrently document_public_id_key on document (public_id);
alter table document alter column public_id set not null;
--@ show rows, distinct ids
select count(*), count(distinct public_id) from document;
--@ expect 20001, 20001
--@ show farthest from created_at
select round(max(abs(extract(epoch from uuid_extract_timestamp(public_id) - created_at))), 3) || ' s'
from document;
select bool_and(abs(extract(epoch from uuid_extract_timestamp(public_id) - created_at)) <= 0.05)
from document;
--@ expect true

--@ claim volatile-default: adding a column with a volatile default rewrites the table, setting the default alone does not
--@ why "add column ... default uuidv7()" locks the table for as long as the rewrite takes. In two
--@ why statements it is a matter of milliseconds, and old rows are filled in batches.
create table document (id bigint generated always as identity primary key, title text);
insert into document (title) select 'title ' || n from generate_series(1, 1000) n;
--@ set at_first select pg_relation_filenode('document')
alter table document add column public_id uuid;
alter table document alter column public_id set default gen_random_uuid();
--@ show add column, then set default
select case when pg_relation_filenode('document') = :'at_first' then 'same file' else 'rewritten' end;
--@ expect same file
alter table document add column other_id uuid default gen_random_uuid();
--@ show add column with the default
select case when pg_relation_filenode('document') = :'at_first' then 'same file' else 'rewritten' end;
--@ expect rewritten

--@ claim migrate-surrogate: a schema with a natural key moves to a surrogate while it is in use, and can go back
--@ why No step rewrites a table or holds a lock for long, and until the last step, which is not here,
--@ why nothing is lost: the old references are still true.
create table product (code text primary key, name text not null);
create table sale (
    id           bigint generated always as identity primary key,
    product_code text not null references product
);
insert into product select 'P-' || n, 'product ' || n from generate_series(1, 2000) n;
insert into sale (product_code) select 'P-' || 1 + n % 2000 from generate_series(1, 6000) n;
--@ set product_file select pg_relation_filenode('product')
--@ set sale_file select pg_relation_filenode('sale')

-- 1. A nullable column, and a default for rows to come.
create sequence product_id_seq;
alter table product add column id bigint;
alter table product alter column id set default nextval('product_id_seq');
alter sequence product_id_seq owned by product.id;
alter table sale add column product_id bigint;

-- 2. New sales get both references; old rows are filled in batches of at most 500.
create function sale_product_id() returns trigger language plpgsql as $$
begin
    new.product_id := (select id from product where code = new.product_code);
    return new;
end $$;
create trigger sale_product_id before insert on sale
    for each row execute function sale_product_id();
create procedure fill() language plpgsql as $$
declare
    filled bigint;
begin
    loop
        update product set id = nextval('product_id_seq')
        where code in (select code from product where id is null limit 500);
        get diagnostics filled = row_count;
        commit;
        exit when filled = 0;
    end loop;
    loop
        update sale set product_id = product.id from product
        where product.code = sale.product_code
          and sale.id in (select id from sale where product_id is null limit 500);
        get diagnostics filled = row_count;
        commit;
        exit when filled = 0;
    end loop;
end $$;
call fill();
insert into product (code, name) values ('P-new', 'made meanwhile');
insert into sale (product_code) values ('P-new');

-- 3. The index without a lock, then the constraint on it.
create unique index concurrently product_id_key on product (id);
alter table product add constraint product_id_there check (id is not null) not valid;
alter table product validate constraint product_id_there;
alter table product alter column id set not null;
alter table product add constraint product_id_key unique using index product_id_key;

-- 4. The new reference: it holds for new rows at once, and for old ones once it is validated.
alter table sale add constraint sale_product_id_fkey
    foreign key (product_id) references product (id) not valid;
alter table sale validate constraint sale_product_id_fkey;

-- 5. Reads switch to the new reference, and find what the old one finds.
--@ show sales by code, by id, by both
select (select count(*) from sale s join product p on p.code = s.product_code),
       (select count(*) from sale s join product p on p.id = s.product_id),
       (select count(*) from sale s join product p on p.id = s.product_id
                                                  and p.code = s.product_code);
--@ expect 6001, 6001, 6001
--@ error 23503 sale_product_id_fkey
update sale set product_id = 0 where id = 1;

-- 6. The way back is open: the old reference is there and valid.
--@ show valid references of a sale
select string_agg(conname, ', ' order by conname) from pg_constraint
where conrelid = 'sale'::regclass and contype = 'f' and convalidated;
--@ expect sale_product_code_fkey, sale_product_id_fkey
select pg_relation_filenode('product') = :'product_file'
   and pg_relation_filenode('sale') = :'sale_file';
--@ expect true
