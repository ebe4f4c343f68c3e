import { type RawBuilder, sql } from 'kysely'
import { type Db, prepared } from '../../core/db.ts'

/** What actions and conditions name; departments by their deptid. */
export type NamedKind = 'department' | 'staff' | 'tag' | 'calendar' | 'webhook' | 'field' | 'client' | 'organisation'

/** Whether a thing can be used. */
export type State = 'fine' | 'gone' | 'out_of_use'

interface Use {
  kind: NamedKind
  id: number
}

interface Found {
  id: number
  /** Null: it has none, or none that all may know. */
  name: string | null
  is_usable: boolean
}

/** The state of each of these, and its name. `isLocked`: none is deleted until the transaction ends. */
export async function statesOf(db: Db, uses: readonly Use[], { isLocked = false } = {}) {
  const found = new Map<string, Found>()
  for (const [kind, ofKind] of Map.groupBy(uses, ({ kind }) => kind)) {
    const rows = await (isLocked ? locked : read)[kind](db, { ids: ofKind.map(({ id }) => id) })
    for (const row of rows) found.set(`${kind} ${row.id}`, row)
  }
  const of = ({ kind, id }: Use) => found.get(`${kind} ${id}`)
  const state = (use: Use): State => (!of(use) ? 'gone' : of(use)!.is_usable ? 'fine' : 'out_of_use')
  return Object.assign(state, { nameOf: (use: Use) => of(use)?.name ?? null })
}

const read = queries({ isLocked: false })
const locked = queries({ isLocked: true })

function queries({ isLocked }: { isLocked: boolean }) {
  const lock = isLocked ? sql` for key share` : sql``
  const query = (from: RawBuilder<unknown>) =>
    prepared((db, p: { ids: readonly number[] }) => {
      const text = sql<Found>`select ${from} = any(${p.ids}::bigint[])${lock}`
      return { compile: () => text.compile(db) }
    })
  return {
    department: query(sql`deptid as id, name, is_active as is_usable from departments where deptid`),
    staff: query(sql`id, first_name || ' ' || last_name as name, is_active as is_usable from staff where id`),
    tag: query(sql`id, name, true as is_usable from tags where id`),
    calendar: query(sql`id, name, not is_archived as is_usable from calendars where id`),
    field: query(sql`id, label as name, not is_archived as is_usable from fields where id`),
    client: query(sql`id, first_name || ' ' || last_name as name, true as is_usable from clients where id`),
    organisation: query(sql`id, name, not is_archived as is_usable from organisations where id`),
    webhook: query(sql`id, null as name, is_active as is_usable from webhooks where id`)
  } satisfies Record<NamedKind, unknown>
}
