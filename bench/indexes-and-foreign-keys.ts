import type pg from 'pg'

/** Something that slows down inserting a million rows, with the statements that drop and create it. */
export interface IndexOrForeignKey {
  name: string
  drop: string
  create: string
}

/** The foreign keys of these tables, and their indexes except those of keys. */
export async function indexesAndForeignKeysOf(client: pg.ClientBase, tables: readonly string[]) {
  const { rows: indexes } = await client.query<IndexOrForeignKey>(
    `select relname as name, format('drop index %I', relname) as drop, pg_get_indexdef(indexrelid) as create
     from pg_index join pg_class on pg_class.oid = indexrelid
     where indrelid = any($1::regclass[]) and not exists (select from pg_constraint where conindid = indexrelid)
     order by relname`,
    [tables]
  )
  const { rows: references } = await client.query<IndexOrForeignKey>(
    `select conname as name, format('alter table %s drop constraint %I', conrelid::regclass, conname) as drop,
       format('alter table %s add constraint %I %s', conrelid::regclass, conname, pg_get_constraintdef(oid)) as create
     from pg_constraint where contype = 'f' and conrelid = any($1::regclass[]) order by conname`,
    [tables]
  )
  return { indexes, references }
}
