import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import type { Db } from '../../src/core/db.ts'

export const schemaPagePath = join(import.meta.dirname, '../../docs/schema.md')
const baselineFolder = join(import.meta.dirname, '../../migrations/baseline')

interface Column {
  table: string
  name: string
  type: string
  isRequired: boolean
  value: string | null
}
interface Key {
  table: string
  kind: 'p' | 'u' | 'f'
  columns: string[]
  target: string | null
  onDelete: string | null
}

/** The text of docs/schema.md: the tables of the database with their columns and keys, and a diagram of what refers to what. */
export async function schemaPage(db: Db): Promise<string> {
  const [columns, keys] = [await columnsOf(db), await keysOf(db)]
  const groups = groupsOf([...new Set(columns.map(({ table }) => table))])
  const sections = groups.map(({ title, tables }) =>
    [
      `## ${title}`,
      `\`\`\`mermaid\nerDiagram\n${relationsOf(tables, keys)}\n\`\`\``,
      ...tables.map(table => tableText(table, columns, keys))
    ].join('\n\n')
  )
  return [
    '# The schema',
    'Every table of the database, in the order of `migrations/baseline`. `npm run generate` writes this page from a migrated database, and a test compares them.',
    'A column without "null" is required; `→` names the table that a column refers to, and what happens to the row when the other one is deleted.',
    ...sections
  ].join('\n\n')
}

function tableText(table: string, columns: Column[], keys: Key[]): string {
  const own = keys.filter(key => key.table === table)
  const rows = columns
    .filter(column => column.table === table)
    .map(({ name, type, isRequired, value }) => {
      const notes = own.filter(({ columns }) => columns.length === 1 && columns[0] === name).map(noteOf)
      return `| ${name} | ${type}${isRequired ? '' : ', null'} | ${[...notes, value ? `\`${value}\`` : ''].filter(Boolean).join('; ')} |`
    })
  const combined = own
    .filter(({ columns }) => columns.length > 1)
    .map(key => `\n\n${key.columns.join(', ')}: ${noteOf(key)}`)
  return `### ${table}\n\n| column | type | key, default |\n|---|---|---|\n${rows.join('\n')}${combined.join('')}`
}

function noteOf({ kind, target, onDelete }: Key): string {
  if (kind === 'p') return 'primary key'
  if (kind === 'u') return 'unique'
  return `→ ${target}${onDelete ? `, ${onDelete}` : ''}`
}

function relationsOf(tables: string[], keys: Key[]): string {
  const lines = tables.flatMap(table => [
    `  ${table}`,
    ...new Set(
      keys
        .filter(key => key.table === table && key.kind === 'f')
        .map(key => `  ${key.target} ||--o{ ${table} : "${key.columns.join(', ')}"`)
    )
  ])
  return lines.join('\n')
}

/** The tables by the file of the baseline that creates them; those of later migrations come last. */
function groupsOf(tables: string[]): { title: string; tables: string[] }[] {
  const groups = globSync('*.sql', { cwd: baselineFolder })
    .sort()
    .map(file => {
      const text = readFileSync(join(baselineFolder, file), 'utf8')
      const created = [...text.matchAll(/^create (?:unlogged )?table (\w+)/gm)].map(match => match[1]!)
      const name = file.replace(/^\d+-|\.sql$/g, '').replaceAll('-', ' ')
      return {
        title: `${name[0]!.toUpperCase()}${name.slice(1)}`,
        tables: created.filter(table => tables.includes(table))
      }
    })
  const later = tables.filter(table => !groups.some(group => group.tables.includes(table)))
  return [...groups, { title: 'Later', tables: later }].filter(group => group.tables.length > 0)
}

async function columnsOf(db: Db): Promise<Column[]> {
  const { rows } = await sql<Column>`
    select class.relname as table, attname as name,
      replace(replace(format_type(atttypid, atttypmod), 'character varying', 'varchar'), 'timestamp with time zone', 'timestamptz') as type,
      attnotnull as "isRequired",
      case when attidentity <> '' then 'identity' when attgenerated <> '' then 'generated'
        else regexp_replace(pg_get_expr(adbin, adrelid), '::[a-z ]+(\\[\\])?', '', 'g') end as value
    from pg_attribute join pg_class as class on class.oid = attrelid left join pg_attrdef on adrelid = attrelid and adnum = attnum
    where relnamespace = 'public'::regnamespace and relkind = 'r' and attnum > 0 and not attisdropped and relname <> 'kysely_migration'
    order by relname, attnum`.execute(db)
  return rows
}

async function keysOf(db: Db): Promise<Key[]> {
  const { rows } = await sql<Key>`
    select class.relname as table, contype as kind, target.relname as target,
      case confdeltype when 'c' then 'deleted with it' when 'n' then 'set to null' end as "onDelete",
      array(select attname::text from unnest(conkey) with ordinality as key (number, place)
        join pg_attribute on attrelid = conrelid and attnum = number order by place) as columns
    from pg_constraint join pg_class as class on class.oid = conrelid left join pg_class as target on target.oid = confrelid
    where class.relnamespace = 'public'::regnamespace and contype in ('p', 'u', 'f') order by class.relname, contype desc, conname`.execute(
    db
  )
  return rows
}
