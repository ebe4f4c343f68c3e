import { sql } from 'kysely'
import pg from 'pg'
import type { AnyDb } from './any-db.ts'

/** The columns of a table to copy, without generated columns. */
export interface TableShape {
  name: string
  columns: string[]
  /** The SQL after `order by` that gives the rows the same order on every server. */
  order: string
}

/** The next value of a sequence, as decimal text. */
export interface SequenceShape {
  name: string
  next: string
}

const quoted = pg.escapeIdentifier

// Extensions create and drop their own tables and functions.
const notOfExtension = (kind: 'pg_class' | 'pg_proc' | 'pg_type') => sql`not exists (
  select from pg_depend where classid = ${sql.lit(kind)}::regclass and objid = ${sql.ref(kind)}.oid and deptype = 'e')`

/**
 * The tables with data that must not be lost, parents before children, otherwise by name. Unlogged tables are left out, since a crash empties
 * them; so is the migrator's lock.
 */
export async function tablesOf(db: AnyDb): Promise<TableShape[]> {
  const { rows } = await sql<{ name: string; columns: string[]; keys: string[] | null; parents: string[] }>`
    select relname as name,
      array(select attname::text from pg_attribute
        where attrelid = pg_class.oid and attnum > 0 and not attisdropped and attgenerated = '' order by attnum) as columns,
      (select array_agg(quote_ident(attname) || case when typcategory = 'S' then ' collate "C"' else '' end
          order by array_position(indkey::int2[], attnum))
        from pg_index join pg_attribute on attrelid = indrelid and attnum = any(indkey) join pg_type on pg_type.oid = atttypid
        where indrelid = pg_class.oid and indisprimary) as keys,
      array(select distinct parent.relname::text from pg_constraint join pg_class parent on parent.oid = confrelid
        where conrelid = pg_class.oid and contype = 'f' and confrelid <> conrelid) as parents
    from pg_class
    where relnamespace = current_schema()::regnamespace and relkind = 'r' and relpersistence = 'p'
      and relname <> 'kysely_migration_lock' and ${notOfExtension('pg_class')}
    order by relname collate "C"`.execute(db)

  const tables: TableShape[] = []
  const isPlaced = (name: string) => tables.some(table => table.name === name)
  for (let left = rows; left.length > 0; left = left.filter(({ name }) => !isPlaced(name))) {
    const next = left.find(({ parents }) => parents.every(isPlaced))
    if (!next) throw new Error(`Tables refer to one another in a circle: ${left.map(({ name }) => name).join(', ')}`)
    const { name, columns, keys } = next
    tables.push({ name, columns, order: keys?.join(', ') ?? `${quoted(name)}::text collate "C"` })
  }
  return tables
}

/** Every sequence, including those of identity columns. */
export async function sequencesOf(db: AnyDb): Promise<SequenceShape[]> {
  const { rows } = await sql<{ name: string; increment: string }>`
    select relname as name, seqincrement::text as increment from pg_class join pg_sequence on seqrelid = pg_class.oid
    where relnamespace = current_schema()::regnamespace and ${notOfExtension('pg_class')}
    order by relname collate "C"`.execute(db)
  const sequences: SequenceShape[] = []
  for (const { name, increment } of rows) {
    const { rows } = await sql<{ next: string }>`
      select (last_value + case when is_called then ${increment}::bigint else 0 end)::text as next from ${sql.table(name)}
    `.execute(db)
    sequences.push({ name, next: rows[0]!.next })
  }
  return sequences
}

/** The tables that have a row, except those named; `tooMany` tables count only with more than one row. */
export async function filledTables(
  db: AnyDb,
  besides: readonly string[],
  tooMany: readonly string[]
): Promise<string[]> {
  const filled: string[] = []
  for (const name of await allTables(db)) {
    if (besides.includes(name)) continue
    const { rows } = await sql`select from ${sql.table(name)} limit 2`.execute(db)
    if (rows.length > (tooMany.includes(name) ? 1 : 0)) filled.push(name)
  }
  return filled
}

/** The names of all tables, including unlogged ones and the migrator's. */
export async function allTables(db: AnyDb): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select relname as name from pg_class
    where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p') and ${notOfExtension('pg_class')}
    order by relname collate "C"`.execute(db)
  return rows.map(({ name }) => name)
}

/** Drops every table, sequence, function and type of the schema except those of extensions. */
export async function dropAll(db: AnyDb): Promise<void> {
  for (const name of await allTables(db)) await sql`drop table ${sql.table(name)} cascade`.execute(db)
  for (const { name } of await sequencesOf(db)) await sql`drop sequence ${sql.table(name)}`.execute(db)
  const { rows } = await sql<{ signature: string }>`
    select pg_proc.oid::regprocedure::text as signature from pg_proc
    where pronamespace = current_schema()::regnamespace and prokind in ('f', 'p') and ${notOfExtension('pg_proc')}`.execute(
    db
  )
  for (const { signature } of rows) await sql`drop routine ${sql.raw(signature)}`.execute(db)
  const { rows: types } = await sql<{ name: string }>`
    select typname as name from pg_type
    where typnamespace = current_schema()::regnamespace and typtype in ('e', 'd') and ${notOfExtension('pg_type')}`.execute(
    db
  )
  for (const { name } of types) await sql`drop type ${sql.id(name)}`.execute(db)
}

/** Empties these tables and disables their own triggers (not those of foreign keys) for the copied rows. */
export async function prepareForRows(db: AnyDb, tables: TableShape[]): Promise<void> {
  await sql`truncate ${sql.join(tables.map(({ name }) => sql.table(name)))}`.execute(db)
  for (const { name } of tables) await sql`alter table ${sql.table(name)} disable trigger user`.execute(db)
}

/** Enables the triggers again and sets the sequences in a way that, unlike `setval`, a rollback reverts. */
export async function finishRows(db: AnyDb, tables: TableShape[], sequences: SequenceShape[]): Promise<void> {
  for (const { name } of tables) await sql`alter table ${sql.table(name)} enable trigger user`.execute(db)
  for (const { name, next } of sequences) {
    await sql`alter sequence ${sql.table(name)} restart with ${sql.raw(String(BigInt(next)))}`.execute(db)
  }
}

/** Updates the planner's statistics. */
export async function analyze(db: AnyDb): Promise<void> {
  for (const name of await allTables(db)) await sql`analyze ${sql.table(name)}`.execute(db)
}
