import type pg from 'pg'

/** What a table has beyond its rows and keys; a million rows are sooner in without it. */
export interface Secondary {
  name: string
  drop: string
  create: string
}

/** The indexes of these tables that are not those of keys, and the foreign keys. */
export async function secondariesOf(client: pg.ClientBase, tables: readonly string[]) {
  const { rows: indexes } = await client.query<Secondary>(
    `select relname as name, format('drop index %I', relname) as drop, pg_get_indexdef(indexrelid) as create
     from pg_index join pg_class on pg_class.oid = indexrelid
     where indrelid = any($1::regclass[]) and not exists (select from pg_constraint where conindid = indexrelid)
     order by relname`,
    [tables]
  )
  const { rows: references } = await client.query<Secondary>(
    `select conname as name, format('alter table %s drop constraint %I', conrelid::regclass, conname) as drop,
       format('alter table %s add constraint %I %s', conrelid::regclass, conname, pg_get_constraintdef(oid)) as create
     from pg_constraint where contype = 'f' and conrelid = any($1::regclass[]) order by conname`,
    [tables]
  )
  return { indexes, references }
}
