import { act } from '../acts/act.ts'
import { addFollowers } from '../followers/add-followers.ts'
import { isFollowing } from '../followers/followers.ts'
import type { Mailbox } from '../platform/mail-reading/addresses.ts'
import { isOfProgram } from '../platform/mail-reading/automatic.ts'
import type { ReadMail } from '../platform/mail-reading/read-mail.ts'
import type { Services } from '../services.ts'
import { ownAddresses } from '../support-addresses/own-addresses.ts'
import { baseAddress } from '../support-addresses/support-addresses.ts'
import type { InboundMailRow } from '../tables/mails.ts'
import { notBlocked } from './blocked-senders.ts'
import { accountOfSender, nameOf } from './sender-account.ts'

/** What of a mail tells who else is to hear of its ticket. */
interface Copied {
  mail: Pick<InboundMailRow, 'id' | 'envelope_recipient'>
  read: Pick<ReadMail, 'to' | 'cc' | 'deliveredTo' | 'automatic'> & { from: Mailbox }
}

/**
 * Lets those follow a ticket to whom a mail in it was sent as well, where its client or one of its followers has written it: a mail that
 * belongs to the ticket by our signature, or that has opened it. What a program writes adds nobody.
 */
export async function followFromMail(
  services: Services,
  { mail, read }: Copied,
  ticket: { id: number; client_id: number }
): Promise<void> {
  const { db, config } = services
  if (read.automatic !== undefined || config.MAX_FOLLOWERS === 0) return
  const people = await notBlocked(db, await othersIn(services, { mail, read }))
  if (people.length === 0) return
  const account = await accountOfSender(db, read.from.email)
  const isClient = account?.id === ticket.client_id
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
    addFollowers(act, ticket, people, { by: isClient ? 'client' : 'follower', most: config.MAX_FOLLOWERS })
  )
}

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
