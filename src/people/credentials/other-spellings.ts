import { sql } from 'kysely'
import { type Db, prepared } from '../../core/db.ts'
import { addressKey, allSpellings, otherSpellings } from '../../mail/support-addresses/support-addresses.ts'

// `ada@münchen.example` and `ada@xn--mnchen-3ya.example` are one address. The unique indexes know one way to write it only, and accounts may have been
// made in both before, so the verbs that make or change an account ask here.

/**
 * Whether another client than `id` has this address with its domain written in another way, or is being moved away from it. False for a client
 * whose address it is already as it is given. Holds a lock until the transaction ends, so that of two at once the second finds the first.
 */
export async function isOfClientInOtherSpelling(db: Db, email: string, id = 0): Promise<boolean> {
  const others = otherSpellings(email)
  if (others.length === 0) return false
  await takeTurn(db, { of: `client ${addressKey(email)}` })
  return (await clientsAt(db, { email, others, id })).length > 0
}

/** The same of staff, whose addresses do not change. */
export async function isOfStaffInOtherSpelling(db: Db, email: string): Promise<boolean> {
  const others = otherSpellings(email)
  if (others.length === 0) return false
  await takeTurn(db, { of: `staff ${addressKey(email)}` })
  return (await staffAt(db, { others })).length > 0
}

/** What `find` finds by the address as it is given, else by it in another way to write its domain. */
export async function inEachSpelling<T>(email: string, find: (email: string) => Promise<T[]>): Promise<T | undefined> {
  for (const way of allSpellings(email)) {
    const [found] = await find(way)
    if (found) return found
  }
  return undefined
}

const takeTurn = prepared((db, p: { of: string }) =>
  db.selectNoFrom(sql<null>`pg_advisory_xact_lock(hashtextextended('address of ' || ${p.of}::text, 0))`.as('turn'))
)

function isAmong(column: string, others: readonly string[]) {
  return sql<boolean>`lower(${sql.ref(column)}) = any(array(select lower(way) from unnest(${others}::text[]) as way))`
}

const clientsAt = prepared((db, p: { email: string; others: readonly string[]; id: number }) =>
  db
    .selectFrom('clients')
    .where('id', '<>', p.id)
    .where(isAmong('email', p.others))
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('clients as self')
            .where('self.id', '=', p.id)
            .where(sql`lower(self.email)`, '=', sql`lower(${p.email})`)
            .select('self.id')
        )
      )
    )
    .select('id')
    .unionAll(
      db
        .selectFrom('email_changes')
        .where('client_id', '<>', p.id)
        .where(isAmong('former_email', p.others))
        .select('client_id as id')
    )
    .limit(1)
)

const staffAt = prepared((db, p: { others: readonly string[] }) =>
  db.selectFrom('staff').where(isAmong('email', p.others)).select('id').limit(1)
)
