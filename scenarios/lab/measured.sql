-- What a key costs, measured: the table of the book at one fifth of its size (--scale full: at its
-- size), foreign keys, and reads of the newest rows.
--
-- ratios.json inserts 200,000 rows into a table keyed by bigint, by UUIDv4 and by UUIDv7, then
-- 200,000 more in ten batches, with a checkpoint before each. It is measured once, by the code of
-- "keybench run"; the figures are in the table "figure".

--@ chapter measured: What a key costs: WAL, images, buffers, pages

--@ setup
-- One figure of a design: of the second 200,000 rows unless another phase is named.
create function figure_of(of_design text, of_metric text, of_phase text default 'second')
returns numeric language plpgsql as $$
begin
    return (select value::numeric from figure
            where design = of_design and metric = of_metric and phase = of_phase and batch = 0
              and index_name in ('', of_design || '_pkey'));
end $$;

create function mb(bytes numeric) returns text language sql as
$$ select round(bytes / (1024 * 1024), 1) || ' MB' $$;

-- "v4 115.8 MB, v7 30.2 MB, 3.8x"
create function compared(first text, second text, of_metric text, of_phase text default 'second')
returns text language sql as $$
    select format('%s %s, %s %s, %sx',
                  first, case when of_metric like '%_bytes' then mb(f) else f::text end,
                  second, case when of_metric like '%_bytes' then mb(s) else s::text end,
                  round(f / s, 2))
    from figure_of(first, of_metric, of_phase) f, figure_of(second, of_metric, of_phase) s
$$;

--@ claim ratio-wal-v4: with checkpoints in play v4 writes more than 3 times the WAL of v7
--@ why WAL is what replicas, backups and archives carry. A random key touches a page that nobody has
--@ why written since the checkpoint with nearly every row, and each first touch logs the whole page.
--@ run ratios.json
--@ show
select compared('v4', 'v7', 'wal_bytes');
select figure_of('v4', 'wal_bytes') > 3 * figure_of('v7', 'wal_bytes');
--@ expect true

--@ claim ratio-wal-v7: v7 writes between 1.0 and 1.2 times the WAL of bigint
--@ why A time-ordered uuid costs its eight bytes more, in the row and in the index, and no more.
--@ run ratios.json
--@ show
select compared('v7', 'bigint', 'wal_bytes');
select figure_of('v7', 'wal_bytes') / figure_of('bigint', 'wal_bytes') between 1.0 and 1.2;
--@ expect true

--@ claim ratio-dirty: v4 dirties more than 5 times the buffers of v7
--@ why Every dirtied buffer is written to disk later; the checkpoint has to wait for them.
--@ run ratios.json
--@ show
select compared('v4', 'v7', 'dirtied_pages');
select figure_of('v4', 'dirtied_pages') > 5 * figure_of('v7', 'dirtied_pages');
--@ expect true

--@ claim dense-append: leaves of bigint and v7 keys are between 88 and 92 percent full
--@ why Keys that grow fill a leaf to the fill factor, 90, and never come back to it.
--@ run ratios.json
--@ show
select format('bigint %s%%, v7 %s%%', round(figure_of('bigint', 'leaf_density_pct'), 1),
              round(figure_of('v7', 'leaf_density_pct'), 1));
select figure_of('bigint', 'leaf_density_pct') between 88 and 92
   and figure_of('v7', 'leaf_density_pct') between 88 and 92;
--@ expect true

--@ claim dense-random: leaves of v4 keys are between 60 and 78 percent full
--@ why Random keys split leaves in the middle wherever they fall; between a split and the next a leaf
--@ why is half to wholly full.
--@ run ratios.json
--@ show v4
select round(figure_of('v4', 'leaf_density_pct'), 1) || '%';
select figure_of('v4', 'leaf_density_pct') between 60 and 78;
--@ expect true

--@ claim leaf-pages: v4 needs at least a fifth more leaf pages than v7 for the same rows
--@ why The keys are equally wide: the rest is air, and it takes its place in the cache as well.
--@ run ratios.json
--@ show
select compared('v4', 'v7', 'leaf_pages');
select figure_of('v4', 'leaf_pages') >= 1.2 * figure_of('v7', 'leaf_pages');
--@ expect true

--@ claim fpi-batch: every batch of bigint and v7 writes fewer than 50 full-page images, every batch of v4 more than 500
--@ why Each batch follows a checkpoint. The images of the growing keys are the few pages at the right
--@ why edge; those of the random key are most of the index, and they grow with it.
--@ run ratios.json
--@ show images a batch
select string_agg(format('%s %s to %s', design, low, high), ', ' order by design)
from (select design, min(value) as low, max(value) as high from figure
      where phase = 'second' and metric = 'fpi_count' and batch > 0 group by design) as range;
select count(*), bool_and(case when design = 'v4' then value > 500 else value < 50 end)
from figure where phase = 'second' and metric = 'fpi_count' and batch > 0;
--@ expect 30, true

--@ claim fk: the price of v4 repeats for every index on a v4 column, an indexed foreign key included
--@ why A random key is paid once in its own table, and once more in each table that references it and
--@ why has the index that a reference needs.
--@ needs version 18
--@ needs role pg_checkpoint
create table bigint_parent (id bigint generated always as identity primary key, n int);
create table v4_parent (id uuid default gen_random_uuid() primary key, n int);
create table v7_parent (id uuid default uuidv7() primary key, n int);
-- The children's own key is a bigint: what differs is the reference alone.
create table bigint_child (id bigint generated always as identity primary key, parent_id bigint);
create table v4_child (id bigint generated always as identity primary key, parent_id uuid);
create table v7_child (id bigint generated always as identity primary key, parent_id uuid);
create index on bigint_child (parent_id);
create index on v4_child (parent_id);
create index on v7_child (parent_id);
insert into bigint_parent (n) select n from generate_series(1, 200000 * :scale) n;
insert into v4_parent (n) select n from generate_series(1, 200000 * :scale) n;
insert into v7_parent (n) select n from generate_series(1, 200000 * :scale) n;
insert into bigint_child (parent_id) select id from bigint_parent order by n;
insert into v4_child (parent_id) select id from v4_parent order by n;
insert into v7_child (parent_id) select id from v7_parent order by n;
alter table bigint_child add foreign key (parent_id) references bigint_parent;
alter table v4_child add foreign key (parent_id) references v4_parent;
alter table v7_child add foreign key (parent_id) references v7_parent;
-- New parents, and a child for each. The first read of new rows writes hint bits, which are pages
-- too: it comes before the checkpoint.
insert into bigint_parent (n) select -n from generate_series(1, 20000 * :scale) n;
insert into v4_parent (n) select -n from generate_series(1, 20000 * :scale) n;
insert into v7_parent (n) select -n from generate_series(1, 20000 * :scale) n;
select (select count(*) from bigint_parent), (select count(*) from v4_parent),
       (select count(*) from v7_parent);
checkpoint;
--@ measure bigint child
insert into bigint_child (parent_id) select id from bigint_parent where n < 0 order by n desc;
checkpoint;
--@ measure v4 child
insert into v4_child (parent_id) select id from v4_parent where n < 0 order by n desc;
checkpoint;
--@ measure v7 child
insert into v7_child (parent_id) select id from v7_parent where n < 0 order by n desc;
--@ show WAL of the child
select compared('v4', 'v7', 'wal_bytes', 'child');
--@ show images
select format('bigint %s, v4 %s, v7 %s', figure_of('bigint', 'fpi_count', 'child'),
              figure_of('v4', 'fpi_count', 'child'), figure_of('v7', 'fpi_count', 'child'));
select figure_of('v4', 'wal_bytes', 'child') > 2 * figure_of('v7', 'wal_bytes', 'child')
   and figure_of('v4', 'fpi_count', 'child') > 500
   and figure_of('v7', 'fpi_count', 'child') < 50
   and figure_of('bigint', 'fpi_count', 'child') < 50;
--@ expect true

--@ claim newest: reading the newest 1,000 rows by key touches leaves all over a v4 index, and a handful of a v7 or bigint index
--@ why Most services read what they wrote last. With a v4 key the whole index has to be in memory for
--@ why that; with a time-ordered key its right edge is enough.
--@ needs version 18
--@ needs superuser
--@ needs extension pageinspect
create table bigint_row (id bigint generated always as identity primary key, n int);
create table v4_row (id uuid default gen_random_uuid() primary key, n int);
create table v7_row (id uuid default uuidv7() primary key, n int);
insert into bigint_row (n) select n from generate_series(1, 200000 * :scale) n;
insert into v4_row (n) select n from generate_series(1, 200000 * :scale) n;
insert into v7_row (n) select n from generate_series(1, 200000 * :scale) n;
vacuum analyze bigint_row, v4_row, v7_row;
-- A leaf is touched when one of its entries points to one of the newest rows.
create function leaves(of_table text, out touched bigint, out total bigint)
language plpgsql as $$
begin
    execute format($query$
        select count(distinct page.blkno) filter (where newest.ctid is not null),
               count(distinct page.blkno)
        from generate_series(1, pg_relation_size(%1$L) / current_setting('block_size')::int - 1)
                 as number(blkno),
             lateral bt_page_stats(%1$L, number.blkno) as page,
             lateral bt_page_items(%1$L, number.blkno) as item
             left join (select ctid from %2$I order by n desc limit 1000) as newest
                 on newest.ctid = item.htid
        where page.type = 'l' $query$, of_table || '_pkey', of_table)
    into touched, total;
end $$;
--@ set newest_bigint select array_agg(id) from (select id from bigint_row order by n desc limit 1000) r
--@ set newest_v4 select array_agg(id) from (select id from v4_row order by n desc limit 1000) r
--@ set newest_v7 select array_agg(id) from (select id from v7_row order by n desc limit 1000) r
set enable_seqscan = off;
set enable_bitmapscan = off;
--@ measure bigint newest
select sum(n) from bigint_row where id = any (:'newest_bigint'::bigint[]);
--@ measure v4 newest
select sum(n) from v4_row where id = any (:'newest_v4'::uuid[]);
--@ measure v7 newest
select sum(n) from v7_row where id = any (:'newest_v7'::uuid[]);
--@ show leaves touched, and share of the index to keep in memory
select string_agg(format('%s %s of %s (%s%%)', key, touched, total,
                         round(100.0 * touched / total, 1)), ', ' order by place)
from (values (1, 'bigint'), (2, 'v4'), (3, 'v7')) as row(place, key), leaves(key || '_row');
--@ show buffers touched
select string_agg(format('%s %s', design, value), ', ' order by design)
from (select design, sum(value) as value from figure
      where phase = 'newest' and batch = 0 and metric in ('hit_pages', 'read_pages')
      group by design) as touched;
select v4.touched > 500 and v7.touched < 20 and bigint.touched < 20
   and 100 * v7.touched < 3 * v7.total and 100 * bigint.touched < 3 * bigint.total
from leaves('bigint_row') bigint, leaves('v4_row') v4, leaves('v7_row') v7;
--@ expect true
select v4.value > 2 * v7.value
from (select sum(value) as value from figure where design = 'v4' and phase = 'newest' and batch = 0
          and metric in ('hit_pages', 'read_pages')) as v4,
     (select sum(value) as value from figure where design = 'v7' and phase = 'newest' and batch = 0
          and metric in ('hit_pages', 'read_pages')) as v7;
--@ expect true
