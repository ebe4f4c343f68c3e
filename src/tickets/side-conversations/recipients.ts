import { sql } from 'kysely'
import { type Db, prepared } from '../../core/db.ts'
import type { Services } from '../../core/services.ts'
import { ownAddresses } from '../../mail/support-addresses/own-addresses.ts'
import { addressKey, allSpellings, baseAddress } from '../../mail/support-addresses/support-addresses.ts'
import { emailInForce } from '../../people/credentials/email-in-force.ts'
import { type Mailbox, mailboxesIn } from '../../platform/mail-reading/addresses.ts'
import { partsOf } from '../followers/followers.ts'
import { thirdPartyRefused } from './refusals.ts'

const maxAddressCharacters = 255

/** Somebody to write to in a side conversation. */
export interface Recipient extends Mailbox {
  role: 'to' | 'cc'
}

/**
 * The recipients of a side conversation, each once: `service@sungrid.example` or `Sungrid <service@sungrid.example>`. Throws `ThirdPartyRefused` for what is no
 * address, and for people to whom there is another way: the client and the followers of the ticket, staff, the desk itself.
 */
export async function requireThirdParties(
  services: Pick<Services, 'db' | 'config'>,
  ticket: number,
  { to, cc }: { to: readonly string[]; cc: readonly string[] }
): Promise<Recipient[]> {
  const recipients = new Map<string, Recipient>()
  for (const [role, given] of [
    ['to', to],
    ['cc', cc]
  ] as const) {
    for (const text of given) {
      const mailbox = mailboxOf(text)
      if (!mailbox) throw thirdPartyRefused('no_address', role, text.slice(0, 100))
      // The database keeps one of addresses that differ in their case alone.
      if (!recipients.has(mailbox.email)) recipients.set(mailbox.email, { ...mailbox, role })
    }
  }
  const own = await ownAddresses(services)
  const emails = [...recipients.keys()].flatMap(allSpellings)
  const known = new Map(
    (await knownPeople(services.db, { ticket, emails })).map(({ email, is }) => [addressKey(email), is])
  )
  for (const { email, role } of recipients.values()) {
    const refusal = own.has(baseAddress(email)) ? 'desk' : known.get(addressKey(email))
    if (refusal) throw thirdPartyRefused(refusal, role, email)
  }
  return [...recipients.values()]
}

function mailboxOf(text: string): Mailbox | undefined {
  const [mailbox, ...others] = mailboxesIn(text)
  const isOne = mailbox && others.length === 0 && mailbox.email.length <= maxAddressCharacters
  return isOne && /^[^\s@<>"]+@[^\s@<>"]+\.[^\s@<>"]+$/.test(mailbox.email) ? mailbox : undefined
}

/** Within a query on `tickets`, `clients` and `asked (email)`. */
const isAddressOfClient = sql<boolean>`lower(asked.email) in (
  lower(${emailInForce}), lower(clients.email), lower(tickets.client_email))`

/** Whether one of these addresses is the client's: that in force, one that waits to be confirmed, or that of the ticket. */
export const clientAmong = prepared((db: Db, p: { ticket: number; emails: readonly string[] }) =>
  db
    .selectFrom('tickets')
    .innerJoin('clients', 'clients.id', 'tickets.client_id')
    .where('tickets.id', '=', p.ticket)
    .where(sql<boolean>`exists (select from unnest(${p.emails}::text[]) as asked (email) where ${isAddressOfClient})`)
    .select('tickets.id')
)

const knownPeople = prepared((db: Db, p: { ticket: number; emails: readonly string[] }) =>
  db
    .selectFrom(
      sql<{ email: string; is: 'staff' | 'follower' | 'client' }>`(
        select asked.email, 'staff' as is from unnest(${p.emails}::text[]) as asked (email)
          join staff on lower(staff.email) = lower(asked.email)
        union all
        select asked.email, 'follower' from unnest(${p.emails}::text[]) as asked (email)
          join ticket_followers as follower on lower(follower.email) = lower(asked.email)
          where follower.ticket_id = ${partsOf(p.ticket)} and follower.ended_at is null
        union all
        select asked.email, 'client' from unnest(${p.emails}::text[]) as asked (email)
          join tickets on tickets.id = ${p.ticket}
          join clients on clients.id = tickets.client_id
          where ${isAddressOfClient})`.as('known')
    )
    .select(['known.email', 'known.is'])
)
