import { sql } from 'kysely'
import { act } from '../../core/acts/act.ts'
import { type Db, prepared } from '../../core/db.ts'
import type { Services } from '../../core/services.ts'
import type { Authentication, InboundMailRow } from '../../core/tables/mails.ts'
import { ownAddresses } from '../../mail/support-addresses/own-addresses.ts'
import { baseAddress } from '../../mail/support-addresses/support-addresses.ts'
import type { Mailbox } from '../../platform/mail-reading/addresses.ts'
import { isAutomatedAddress } from '../../platform/mail-reading/automatic.ts'
import type { ReadMail } from '../../platform/mail-reading/read-mail.ts'
import { addFollowers } from '../../tickets/followers/add-followers.ts'
import { isFollowing } from '../../tickets/followers/followers.ts'
import { notBlocked } from './blocked-senders.ts'
import { accountOfSender, nameOf } from './sender-account.ts'

/** What a mail says about who else should follow its ticket. */
interface Copied {
  /** How certain the author is. */
  authentication: Authentication
  mail: Pick<InboundMailRow, 'id' | 'envelope_recipient'>
  read: Pick<ReadMail, 'to' | 'cc' | 'deliveredTo' | 'automatic'> & { from: Mailbox }
}

/**
 * Adds the other recipients of a mail as followers of its ticket, if its client or a follower wrote the mail, and the mail belongs to the ticket
 * by our signature or has opened it. Automatic mails add nobody. Nor does a mail that opens a ticket without proof of its author, for a client
 * whose mails were proven before: an impostor could have the answers sent to themselves.
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

/** Whether an earlier mail from this address of the client was authenticated: then the next one can be expected to be as well. */
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
 * The people in Cc, and those in To if an address of ours is beside them: otherwise one of them may be ours in a way we do not know. The sender,
 * the desk and programs are left out.
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
      !isAutomatedAddress(mailbox.email)
  )
}
