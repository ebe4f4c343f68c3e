import { sql } from 'kysely'
import { type Db, prepared } from '../../core/db.ts'
import { ticketPriorities } from '../../core/tables/tickets.ts'
import { channels } from '../../tickets/conditions/channel.ts'
import type { Group } from './report-schemas.ts'

/** What stands for a group in answers: null for nobody, no organisation, or a department that is gone. */
export interface GroupLabel {
  key: string | number | null
  label: string | null
  /** Of a member of staff. */
  first_name?: string
  last_name?: string
}

/** What the keys of facts are called: departments by their public id, tags by name. Staff that are gone keep their id. */
export async function groupLabels(db: Db, group: Group, keys: readonly number[]): Promise<Map<number, GroupLabel>> {
  const named = await namesOf(db, group, keys)
  return new Map(keys.map(key => [key, named.get(key) ?? unnamed(group, key)]))
}

function unnamed(group: Group, key: number): GroupLabel {
  if (key === 0 || group === 'department' || group === 'tag') return { key: null, label: null }
  return { key, label: null }
}

async function namesOf(db: Db, group: Group, keys: readonly number[]): Promise<Map<number, GroupLabel>> {
  switch (group) {
    case 'priority':
      return listed(ticketPriorities)
    case 'channel':
      return listed(channels)
    case 'department':
      return byId(await departments(db, { keys }))
    case 'tag':
      return byId(await tags(db, { keys }))
    case 'organisation':
      return byId(await organisations(db, { keys }))
    case 'staff':
      return byId(await staff(db, { keys }))
  }
}

function listed(values: readonly string[]): Map<number, GroupLabel> {
  return new Map(values.map((value, at) => [at + 1, { key: value, label: value }]))
}

function byId(rows: (GroupLabel & { id: number })[]): Map<number, GroupLabel> {
  return new Map(rows.map(({ id, ...label }) => [id, label]))
}

interface Keys {
  keys: readonly number[]
}

const anyOf = (p: Keys) => sql<number>`any(${p.keys}::bigint[])`

const departments = prepared((db, p: Keys) =>
  db.selectFrom('departments').where('id', '=', anyOf(p)).select(['id', 'deptid as key', 'name as label'])
)
const tags = prepared((db, p: Keys) =>
  db.selectFrom('tags').where('id', '=', anyOf(p)).select(['id', 'name as key', 'name as label'])
)
const organisations = prepared((db, p: Keys) =>
  db.selectFrom('organisations').where('id', '=', anyOf(p)).select(['id', 'id as key', 'name as label'])
)
const staff = prepared((db, p: Keys) =>
  db
    .selectFrom('staff')
    .where('id', '=', anyOf(p))
    .select(['id', 'id as key', 'first_name', 'last_name'])
    .select(sql<string>`concat_ws(' ', first_name, last_name)`.as('label'))
)
