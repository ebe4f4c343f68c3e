import { sql } from 'kysely'
import { type Db, prepared } from '../../core/db.ts'
import type { Keys } from '../../core/keys.ts'
import { mailboxesIn } from '../../platform/mail-reading/addresses.ts'
import { signedAddress } from './signed-address.ts'
import { addressesIn, addressesThatSend, baseAddress, type SupportAddress } from './support-addresses.ts'

/** The From and Reply-To of e-mails about a ticket. */
export interface TicketSender {
  from: { name: string; address: string }
  replyTo: string
}

/**
 * The sender of e-mails about a ticket: the one that was chosen for an answer, else the support address to which its e-mails were sent, or which took the
 * place of that one, else that of its department, else that of MAIL_FROM, else any; undefined if the desk has none. Of several the one in `mail_senders` counts, else the first in alphabetical order. Replies go to that address with a key after a plus, `support+KEY@example.com`: the key is signed, and also
 * valid in lower case, because some servers change the case.
 */
export async function ticketSender(
  { keys, db, config }: { keys: Keys; db: Db; config: { MAIL_FROM: string } },
  ticket: { id: number; department_id: number },
  chosen: string | null = null
): Promise<TicketSender | undefined> {
  const [facts] = await senderFacts(db, { ticket: ticket.id, department: ticket.department_id })
  if (!facts) return undefined
  const addresses = inOrder(addressesIn(facts.addresses), facts.defaults, facts.senders)
  const own =
    (chosen === null ? undefined : addressOfMails(addresses, [chosen])) ??
    addressOfMails(addresses, withSuccessors(facts.came_to, facts.former)) ??
    addresses.find(({ deptid }) => deptid === facts.deptid) ??
    addressOfMails(
      addresses,
      mailboxesIn(config.MAIL_FROM).map(({ email }) => email)
    ) ??
    addresses[0]
  if (!own) return undefined
  return {
    from: { name: nameOf(own, facts, config), address: own.address },
    replyTo: signedAddress(keys, 'ticket', ticket.id, own.address)
  }
}

/** Behind each recipient the address that took its place, if it was deleted. */
function withSuccessors(recipients: readonly string[], former: unknown): string[] {
  const successors = new Map(Object.entries((former ?? {}) as Record<string, string>))
  return recipients.flatMap(recipient => [recipient, successors.get(baseAddress(recipient)) ?? recipient])
}

/** The addresses that can answer in the place of one that is deleted, first the one that does unless another is chosen. */
export async function successorsOf(
  { db, config }: { db: Db; config: { MAIL_FROM: string } },
  { address, deptid }: SupportAddress
): Promise<string[]> {
  const [facts] = await addressFacts(db, {})
  const { addresses, defaults, senders } = facts!
  const configured = new Set(mailboxesIn(config.MAIL_FROM).map(({ email }) => baseAddress(email)))
  const rank = (each: SupportAddress) =>
    each.deptid === deptid ? 0 : configured.has(baseAddress(each.address)) ? 1 : 2
  return inOrder(addressesIn(addresses), defaults, senders)
    .filter(each => baseAddress(each.address) !== baseAddress(address))
    .toSorted((one, other) => rank(one) - rank(other))
    .map(({ address }) => address)
}

/** Mailboxes that are their department's default first, then those of the setting `mail_senders`, each in alphabetical order. */
function inOrder(
  addresses: readonly SupportAddress[],
  defaults: readonly string[],
  senders: unknown
): SupportAddress[] {
  const first = new Set(defaults.map(baseAddress))
  const chosen = new Set(((senders ?? []) as string[]).map(baseAddress))
  const rank = ({ address }: SupportAddress) => {
    const key = baseAddress(address)
    return `${first.has(key) ? 0 : chosen.has(key) ? 1 : 2}${address.toLowerCase()}`
  }
  return addresses.toSorted((one, other) => (rank(one) < rank(other) ? -1 : 1))
}

/** The first of these recipients that is a support address. */
function addressOfMails(addresses: readonly SupportAddress[], cameTo: readonly string[]): SupportAddress | undefined {
  const byBase = new Map(addresses.map(each => [baseAddress(each.address), each]))
  return cameTo.map(recipient => byBase.get(baseAddress(recipient))).find(each => each !== undefined)
}

interface Names {
  mail_names: unknown
  desk: unknown
  departments: unknown
}

/** The display name of an address: the one in the settings, else that of MAIL_FROM if it has this address, else the department and the desk. */
function nameOf({ address, deptid }: SupportAddress, names: Names, { MAIL_FROM }: { MAIL_FROM: string }): string {
  const given = (names.mail_names as Record<string, string> | null)?.[address]
  if (given) return given
  const [configured] = mailboxesIn(MAIL_FROM)
  if (configured?.name && baseAddress(configured.email) === baseAddress(address)) return configured.name
  const department = (names.departments as Record<string, string> | null)?.[deptid]
  const desk = names.desk as string | null
  return department && desk ? `${department} (${desk})` : (department ?? desk ?? '')
}

const defaultAddresses = sql<string[]>`array(select address from connected_mailboxes where is_default)`

/**
 * The settings and names for the sender, the ticket's department, and the recipients of its first mails: for each mail those in the envelope
 * before those in its headers. One statement, because it runs for each e-mail about a ticket.
 */
const senderFacts = prepared((db, p: { ticket: number; department: number }) => {
  const setting = (name: string) => settingOf(db, name)
  return db
    .selectFrom('departments')
    .where('id', '=', p.department)
    .select('deptid')
    .select([
      addressesThatSend.as('addresses'),
      sql<unknown>`coalesce((select value from desk_settings where name = 'mail_names'), '{}')
        || coalesce((select jsonb_object_agg(address, name) from connected_mailboxes), '{}')`.as('mail_names'),
      setting('mail_senders').as('senders'),
      defaultAddresses.as('defaults'),
      sql<unknown>`(select jsonb_object_agg(address_key, answers_from) from former_addresses)`.as('former'),
      setting('name').as('desk'),
      sql<unknown>`(select jsonb_object_agg(every.deptid, every.name) from departments as every)`.as('departments'),
      sql<string[]>`array(
        select recipient from (
          select mailed.message_id, mailed.recipients, mail.envelope_recipient
          from ticket_messages as message
          join message_emails as mailed on mailed.message_id = message.id
          left join inbound_mails as mail on mail.id = mailed.mail_id
          where message.ticket_id = ${p.ticket}
          order by message.id
          limit 10
        ) as came, lateral (
          select 0 as place, came.envelope_recipient as recipient where came.envelope_recipient is not null
          union all
          select 1, person->>'email' from jsonb_array_elements(came.recipients->'to') as person
          union all
          select 2, person->>'email' from jsonb_array_elements(came.recipients->'cc') as person
        ) as recipients
        order by came.message_id, place
      )`.as('came_to')
    ])
})

const addressFacts = prepared(db =>
  db.selectNoFrom([
    addressesThatSend.as('addresses'),
    defaultAddresses.as('defaults'),
    settingOf(db, 'mail_senders').as('senders')
  ])
)

function settingOf(db: Db, name: string) {
  return db.selectFrom('desk_settings').where('name', '=', sql.lit(name)).select('value')
}

/** The same sender for a side conversation, whose answers come to an address of its own. */
export function sideSender(keys: Keys, { from }: TicketSender, conversationId: number): TicketSender {
  return { from, replyTo: signedAddress(keys, 'side', conversationId, from.address) }
}

/** The same sender for one follower of the ticket, whose own key in Reply-To is valid for as long as they follow. */
export function followerSender(keys: Keys, { from }: TicketSender, followerId: number): TicketSender {
  return { from, replyTo: signedAddress(keys, 'follower', followerId, from.address) }
}
