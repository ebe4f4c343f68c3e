import { sql } from 'kysely'
import type { Db } from '../../core/db.ts'
import type { LockedClientData } from './lock-client-data.ts'
import { report, type StoreReport } from './stores.ts'

/** What the log says in the place of an erased person. */
const erased = 'erased'

/** What a step keeps: the words of servers name the address. */
const bareSteps = sql`(select coalesce(jsonb_agg(step - 'detail' - 'reason' order by at), '[]') from jsonb_array_elements(steps) with ordinality as each (step, at))`

/**
 * The e-mails of a client in the mail log, sent and received, and those about their tickets: the rows stay, without the person, the subject and
 * what servers said. Others to whom such an e-mail went stay in it.
 */
export async function eraseMailLog(
  db: Db,
  { id, email, tickets }: Pick<LockedClientData, 'id' | 'email' | 'tickets'>
): Promise<StoreReport> {
  const addresses = await addressesOf(db, { id, email })
  const isTheirs = sql`lower(coalesce(sender, '')) = any(${addresses}::text[])`
  const isToThem = sql`string_to_array(lower(recipients), e'\n') && ${addresses}::text[]`
  // The index of words finds whoever is named; the rest is exact.
  const patterns = addresses.map(address => `%${address.replaceAll(/[\\%_]/g, '\\$&')}%`)
  const { numAffectedRows } = await sql`
    update mail_log set
      sender = case when ${isTheirs} then ${erased} else sender end,
      recipients = (select coalesce(string_agg(case when lower(address) = any(${addresses}::text[]) then ${erased} else address end, e'\n'), '')
        from unnest(string_to_array(recipients, e'\n')) as address),
      subject = '', message_ref = case direction when 'in' then null else message_ref end, steps = ${bareSteps},
      reason = case when direction = 'out' then null else reason end, client_id = null, is_erased = true
    where client_id = ${id} or ticket_id = any(${tickets}::bigint[])
      or id = any(array(select id from mail_log where words like any(${patterns}::text[]) and (${isTheirs} or ${isToThem})))`.execute(
    db
  )
  return report('mail_log', { anonymized: Number(numAffectedRows ?? 0) })
}

async function addressesOf(db: Db, { id, email }: { id: number; email: string }): Promise<string[]> {
  const { rows } = await sql<{ address: string }>`
    select lower(${email}) as address
    union select lower(former) from clients, unnest(former_emails) as former where clients.id = ${id}`.execute(db)
  return rows.map(({ address }) => address)
}
