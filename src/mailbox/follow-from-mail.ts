import { sql } from 'kysely'
import { act } from '../acts/act.ts'
import { type Db, prepared } from '../db.ts'
import { addFollowers } from '../followers/add-followers.ts'
import { isFollowing } from '../followers/followers.ts'
import type { Mailbox } from '../platform/mail-reading/addresses.ts'
import { isOfProgram } from '../platform/mail-reading/automatic.ts'
import type { ReadMail } from '../platform/mail-reading/read-mail.ts'
import type { Services } from '../services.ts'
import { ownAddresses } from '../support-addresses/own-addresses.ts'
import { baseAddress } from '../support-addresses/support-addresses.ts'
import type { Authentication, InboundMailRow } from '../tables/mails.ts'
import { notBlocked } from './blocked-senders.ts'
import { accountOfSender, nameOf } from './sender-account.ts'

/** What of a mail tells who else is to hear of its ticket. */
interface Copied {
  /** How sure it is who wrote it. */
  authentication: Authentication
  mail: Pick<InboundMailRow, 'id' | 'envelope_recipient'>
  read: Pick<ReadMail, 'to' | 'cc' | 'deliveredTo' | 'automatic'> & { from: Mailbox }
}

/**
 * Lets those follow a ticket to whom a mail in it was sent as well, where its client or one of its followers has written it: a mail that
 * belongs to the ticket by our signature, or that has opened it. What a program writes adds nobody, and neither does a mail that opens a ticket in
 * the name of a client whose mails have been proven before, and that is not: somebody else may have written it, to have the answers sent to
 * themselves.
 */
export async function followFromMail(
  services: Services,
  { mail, read, authentication }: Copied,
  ticket: { id: number; client_id: number; isNew: boolean }
): Promise<void> {
  const { db, config } = services
  if (read.automatic !== undefined || config.MAX_FOLLOWERS === 0) return
  const people = await notBlocked(db, await othersIn(services, { mail, read, authentication }))
  if (people.length === 0) return
  const account = await accountOfSender(db, read.from.email)
  const isClient = account?.id === ticket.client_id
  const { verdict } = authentication
  if (ticket.isNew && account && verdict !== 'pass' && (await hasProven(db, account.id, read.from.email))) return
  if (!isClient && !(await isFollowing(db, ticket.id, read.from.email))) return

  const name = nameOf(read.from)
  const by = {
    type: 'client',
    id: isClient ? ticket.client_id : null,
    name: account ? `${account.firstName} ${account.lastName}` : `${name.first} ${name.last}`,
    ip: null,
    requestId: `mail-${mail.id}`
  } as const
  await act(services, by, act =>
    addFollowers(act, ticket, people, { by: isClient ? 'client' : 'follower', most: config.MAX_FOLLOWERS, verdict })
  )
}

/** Whether a mail with this address of a client was shown to be theirs before: then the next one can be expected to be as well. */
async function hasProven(db: Db, client: number, sender: string): Promise<boolean> {
  return (await provenMail(db, { client, sender })).length > 0
}

const provenMail = prepared((db, p: { client: number; sender: string }) =>
  db
    .selectFrom('inbound_mails')
    .where('client_id', '=', p.client)
    .where(sql`lower(sender)`, '=', sql`lower(${p.sender})`)
    .where('state', 'in', ['ticket', 'reply'])
    .where(sql`authentication ->> 'verdict'`, '=', 'pass')
    .select('id')
    .limit(1)
)

/**
 * Those in Cc, and those in To where an address of ours stands beside them: else one of them may be ours by ways that we do not know.
 * Neither the sender nor the desk are among them, nor programs.
 */
async function othersIn(services: Services, { mail, read }: Copied): Promise<Mailbox[]> {
  const own = await ownAddresses(services)
  const isOurs = ({ email }: Mailbox) => own.has(baseAddress(email))
  const delivered = [...read.deliveredTo.map(({ email }) => email), mail.envelope_recipient ?? ''].map(baseAddress)
  const known = [...read.to, ...read.cc].some(
    mailbox => isOurs(mailbox) || delivered.includes(baseAddress(mailbox.email))
  )
  const self = baseAddress(read.from.email)
  return [...read.cc, ...(known ? read.to : [])].filter(
    mailbox =>
      !isOurs(mailbox) &&
      !delivered.includes(baseAddress(mailbox.email)) &&
      baseAddress(mailbox.email) !== self &&
      !isOfProgram(mailbox.email)
  )
}
