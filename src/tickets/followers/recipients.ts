import { sql } from 'kysely'
import { type Static, Type } from 'typebox'
import type { Act } from '../../core/acts/act.ts'
import { type Db, prepared } from '../../core/db.ts'
import type { Services } from '../../core/services.ts'
import type { Recipients } from '../../core/tables/sending.ts'
import { InvalidFields } from '../../kit/errors.ts'
import { Flag, Nullable, OneOf, OutputText } from '../../kit/schemas.ts'
import { bit } from '../../lib/bit.ts'
import { ownAddresses } from '../../mail/support-addresses/own-addresses.ts'
import { addressKey, allSpellings, baseAddress } from '../../mail/support-addresses/support-addresses.ts'
import { emailInForce } from '../../people/credentials/email-in-force.ts'
import { emailIn } from '../../platform/mail-reading/addresses.ts'
import { isAutomatedAddress } from '../../platform/mail-reading/automatic.ts'
import { insertFollower } from './add-followers.ts'
import { answerSenders } from './answer-senders.ts'
import { followersOf } from './followers.ts'

const maxListed = 50
const maxEmailCharacters = 254

function Addresses(description: string) {
  const Address = Type.String({ minLength: 1, maxLength: 320, examples: ['anton@example.com'], 'x-trim': true })
  return Type.Optional(Type.Array(Address, { maxItems: maxListed, description }))
}

/** Who gets a reply, as its writer says. */
export const recipientFields = {
  from: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 320,
      examples: ['support@example.com'],
      'x-trim': true,
      description: 'The address of the desk that sends it: the usual one of the ticket or another of its department.'
    })
  ),
  to: Addresses('In place of the client, or beside them if their address is among these.'),
  cc: Addresses(
    'In place of the followers, for this reply; new ones follow from then on. The client and these see each other.'
  ),
  bcc: Addresses('Nobody sees these.'),
  cc_once: Addresses('In copy of this reply, without following the ticket from then on.'),
  signature: Type.Optional(OneOf(['both', 'address', 'none']))
}
const Given = Type.Object(recipientFields)
export type GivenRecipients = Static<typeof Given>

const lists = ['to', 'cc', 'cc_once', 'bcc'] as const

/**
 * The recipients of a reply, each once; null if the writer has chosen none. Throws `InvalidFields`, which names the entry, for what is no address, one of
 * the desk's own, one of staff, one of a program or that e-mails do not reach, more than there is room for, or a sender that this ticket is not
 * answered from.
 */
export async function chosenRecipients(
  services: Pick<Services, 'db' | 'config' | 'keys'>,
  ticketId: number,
  given: GivenRecipients
): Promise<Recipients | null> {
  const { from, signature } = given
  const isChosen = lists.some(name => given[name] !== undefined) || from !== undefined || signature !== undefined
  if (!isChosen) return null
  const named = lists.flatMap(field => (given[field] ?? []).map(address => ({ field, address })))
  const unfit = named.find(({ address }) => address.length > maxEmailCharacters || emailIn(address) !== address)
  if (unfit) throw refused(unfit, 'is not an e-mail address')
  const own = await ownAddresses(services)
  const ours = named.find(({ address }) => own.has(baseAddress(address)))
  if (ours) throw refused(ours, 'is this desk')
  const emails = named.flatMap(({ address }) => allSpellings(address))
  const [known] = await knownOf(services.db, { ticket: ticketId, emails })
  const ofStaff = named.find(({ address }) => allSpellings(address).some(way => known!.staff.includes(lower(way))))
  if (ofStaff) throw refused(ofStaff, 'is of the staff, who read the ticket here')

  const isClient = (address: string) => known!.client !== null && addressKey(address) === addressKey(known!.client)
  await requireReachable(services.db, ticketId, named, known!.undeliverable, isClient)

  // Who is named in copy gets it, whoever else it is addressed to.
  const isForClient = given.to === undefined || [given.to, given.cc, given.cc_once].some(list => list?.some(isClient))
  const blind = isForClient ? undefined : given.bcc?.find(isClient)
  if (blind !== undefined)
    throw refused({ field: 'bcc', address: blind }, 'is the client of the ticket: put them into `to` or `cc`')
  const seen = new Set<string>()
  const listOf = (field: (typeof lists)[number]) =>
    (given[field] ?? []).filter(address => {
      const isFirst = !isClient(address) && !seen.has(addressKey(address))
      seen.add(addressKey(address))
      return isFirst
    })
  const to = listOf('to')
  const once = listOf('cc_once')
  const cc = given.cc || given.cc_once ? [...listOf('cc'), ...once] : null
  const bcc = listOf('bcc')
  const recipients = {
    from: from === undefined ? null : await senderOf(services, ticketId, from),
    client: isForClient,
    to,
    cc,
    bcc,
    cc_once: once,
    signature: signature ?? 'both'
  }
  await requireRoom(services, ticketId, recipients)
  return recipients
}

/** E-mails that come in may name people in other ways, such as quoted ones; few servers take those. */
const takenByServers =
  /^[^\s@<>"(),:;\\[\]]+@(?:[\p{L}\p{N}](?:[\p{L}\p{M}\p{N}_-]*[\p{L}\p{M}\p{N}])?\.)+[\p{L}\p{N}][\p{L}\p{M}\p{N}-]+$/u

/** Followers and the client may be named all the same: where they are shown stands that nothing reaches them. */
async function requireReachable(
  db: Db,
  ticketId: number,
  named: readonly { field: string; address: string }[],
  undeliverable: Readonly<Record<string, string>>,
  isClient: (address: string) => boolean
): Promise<void> {
  const reasonOf = (address: string) =>
    allSpellings(address)
      .map(way => undeliverable[lower(way)])
      .find(reason => reason !== undefined)
  const isTaken = (address: string) => takenByServers.test(address)
  const suspect = named.filter(
    ({ address }) => !isTaken(address) || isAutomatedAddress(address) || reasonOf(address) !== undefined
  )
  if (suspect.length === 0) return
  const followers = new Set((await followersOf(db, ticketId)).map(({ email }) => addressKey(email)))
  const stranger = suspect.find(({ address }) => !followers.has(addressKey(address)) && !isClient(address))
  if (!stranger) return
  if (!isTaken(stranger.address)) throw refused(stranger, 'is not an e-mail address')
  const reason = reasonOf(stranger.address)
  throw refused(stranger, reason === undefined ? 'is of a program, which reads nothing' : `gets no e-mails (${reason})`)
}

async function senderOf(
  services: Pick<Services, 'db' | 'config' | 'keys'>,
  ticketId: number,
  from: string
): Promise<string> {
  const { senders = [] } = (await answerSenders(services, ticketId)) ?? {}
  const offered = senders.find(({ address }) => baseAddress(address) === baseAddress(from))
  if (offered) return offered.address
  throw refused({ field: 'from', address: from }, 'is not an address from which this ticket is answered')
}

async function requireRoom({ db, config }: Pick<Services, 'db' | 'config'>, ticketId: number, recipients: Recipients) {
  const followers = new Set((await followersOf(db, ticketId)).map(({ email }) => addressKey(email)))
  const added = followingFrom(recipients).filter(address => !followers.has(addressKey(address)))
  if (added.length === 0 || followers.size + added.length <= config.MAX_FOLLOWERS) return
  throw InvalidFields({ message: `cc: a ticket has at most ${config.MAX_FOLLOWERS} followers`, errors: ['cc'] })
}

/** Those in copy who follow the ticket from then on. */
function followingFrom({ cc, cc_once }: Recipients): string[] {
  const once = new Set(cc_once.map(lower))
  return (cc ?? []).filter(address => !once.has(lower(address)))
}

function refused({ field, address }: { field: string; address: string }, why: string) {
  return InvalidFields({
    message: `${field}: ${address.toWellFormed().slice(0, 100)} ${why}`,
    errors: [field]
  })
}

function lower(address: string): string {
  return address.toLowerCase()
}

/** The address to which e-mails to the client of a ticket go. */
export async function addressOfClient(db: Db, ticket: number): Promise<string | null> {
  return (await knownOf(db, { ticket, emails: [] }))[0]!.client
}

const knownOf = prepared((db, p: { ticket: number; emails: readonly string[] }) =>
  db.selectNoFrom([
    sql<
      string | null
    >`(select coalesce(tickets.client_email, ${emailInForce}) from tickets join clients on clients.id = tickets.client_id
      where tickets.id = ${p.ticket}::bigint)`.as('client'),
    sql<string[]>`array(select lower(email) from staff
      where lower(email) = any(array(select lower(given) from unnest(${p.emails}::text[]) as given)))`.as('staff'),
    sql<Record<string, string>>`coalesce((select jsonb_object_agg(lower(email), reason) from undeliverable_addresses
      where is_permanent and lower(email) = any(array(select lower(given) from unnest(${p.emails}::text[]) as given))), '{}')`.as(
      'undeliverable'
    )
  ])
)

/** Stores to whom a reply goes, and has those in copy follow the ticket. */
export async function keepRecipients(act: Act, ticket: number, message: number, recipients: Recipients): Promise<void> {
  const { db, now } = act
  await insertRecipients(db, { message, recipients: JSON.stringify(recipients), now })
  const following = new Set((await followersOf(db, ticket)).map(({ email }) => addressKey(email)))
  for (const email of followingFrom(recipients).filter(address => !following.has(addressKey(address)))) {
    const [added] = await insertFollower(db, { ticket, email, name: '', now })
    if (added) act.happened({ kind: 'ticket.follower_added', ticket, after: { follower_id: added.id } })
  }
}

const insertRecipients = prepared((db, p: { message: number; recipients: string; now: Date }) =>
  db.insertInto('reply_recipients').values({ message_id: p.message, recipients: p.recipients, created_at: p.now })
)

/** The recipients that were chosen for these messages; others have gone to the client and the followers. */
export async function recipientsOf(db: Db, messages: readonly number[]): Promise<Map<number, Recipients>> {
  if (messages.length === 0) return new Map()
  const found = await storedRecipients(db, { messages })
  return new Map(found.map(({ message_id, recipients }) => [message_id, recipients]))
}

const storedRecipients = prepared((db, p: { messages: readonly number[] }) =>
  db
    .selectFrom('reply_recipients')
    .where('message_id', '=', sql<number>`any(${p.messages}::bigint[])`)
    .select(['message_id', 'recipients'])
)

/** Who got a reply, as staff see it in the thread. */
export const RecipientsView = Type.Object({
  from: Nullable(OutputText('support@example.com')),
  to_client: Flag(),
  to: Type.Array(OutputText('anton@example.com')),
  // Null: whoever followed the ticket.
  cc: Nullable(Type.Array(OutputText('anton@example.com'))),
  bcc: Type.Array(OutputText('anton@example.com'))
})

export function recipientsView({ from, client, to, cc, bcc }: Recipients): Static<typeof RecipientsView> {
  return { from, to_client: bit(client), to, cc, bcc }
}
