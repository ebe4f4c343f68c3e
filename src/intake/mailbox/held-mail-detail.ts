import { sql } from 'kysely'
import type { StaffActor } from '../../core/actor.ts'
import { type Db, prepared } from '../../core/db.ts'
import type { Services } from '../../core/services.ts'
import type { TicketStatus } from '../../core/tables/tickets.ts'
import { bringsSecret } from '../../mail/log/log-incoming.ts'
import { blockedNames } from '../../mail/support-addresses/blocked-names.ts'
import type { Mailbox } from '../../platform/mail-reading/addresses.ts'
import type { ReadMail } from '../../platform/mail-reading/read-mail.ts'
import { recipientsOf } from './department-for.ts'
import { ticketOfMail } from './find-ticket.ts'
import { type HeldMail, heldMail } from './held-mails.ts'
import { heldFor, isUnread } from './hold-reasons.ts'
import { authorOf } from './mail-author.ts'
import { readStored, startOf } from './process-mail.ts'
import { accountOfSender, type SenderAccount } from './sender-account.ts'

const maxPeople = 100
const maxTextCharacters = 20_000
const maxRawCharacters = 16_000
const maxNames = 100

interface NamedTicket {
  id: number
  ticket_number: string
  subject: string
  status: TicketStatus
}

/** All details of a held mail. */
export interface HeldMailDetail {
  mail: HeldMail
  from: Mailbox | undefined
  to: Mailbox[]
  cc: Mailbox[]
  subject: string
  /** The date in its header. */
  date: Date | undefined
  /** Undefined if it cannot be parsed. */
  text: { shown: string; isWhole: boolean } | undefined
  /** Its beginning, if it cannot be parsed. */
  raw: string | undefined
  files: { file_name: string; file_size: number | null }[]
  /** The ticket that it would have gone to. */
  ticket: NamedTicket | undefined
  /** A ticket that it names, in which its sender takes no part. */
  named: NamedTicket | undefined
  /** The account with the sender's address. */
  client: SenderAccount | undefined
  /** The entries that block the sender: the address, or the domain with an @. */
  blockedAs: string[]
}

/** The details of a mail that is or was held. The original is parsed each time, so that no second copy of its text is kept. */
export async function heldMailDetail(services: Services, actor: StaffActor, id: number): Promise<HeldMailDetail> {
  const { db } = services
  const mail = await heldMail(db, actor, id)
  const { file_path } = mail
  if (file_path === null) return { ...nothingOf(mail), ...(await aboutSender(db, mail.sender ?? undefined)) }
  // A report may hold an e-mail of ours with what that says: a code or a link is shown to nobody.
  if (await bringsSecret(db, id)) return { ...nothingOf(mail), ...(await aboutSender(db, mail.sender ?? undefined)) }
  const stored = { ...mail, file_path }
  const start = await startOf(services, stored)
  const read = isUnread(heldFor(mail)) ? undefined : await readStored(services, stored)
  if (read === undefined || typeof read === 'string') {
    const raw = start.raw.slice(0, maxRawCharacters).toWellFormed()
    const { from, to, cc, subject, date } = start
    const people = { from, to: to.slice(0, maxPeople), cc: cc.slice(0, maxPeople) }
    return { ...nothingOf(mail), ...people, subject, date, raw, ...(await aboutSender(db, from?.email)) }
  }
  const from = (await authorOf(services, read)) ?? read.from
  return {
    ...nothingOf(mail),
    from,
    to: read.to.slice(0, maxPeople),
    cc: read.cc.slice(0, maxPeople),
    subject: read.subject,
    date: start.date,
    text: textOf(read),
    files: filesOf(read),
    ...(await ticketsOf(services, mail, read, from)),
    ...(await aboutSender(db, from?.email))
  }
}

function nothingOf(mail: HeldMail): HeldMailDetail {
  const from = mail.sender === null ? undefined : { name: mail.sender_name ?? '', email: mail.sender }
  const nothing = { text: undefined, raw: undefined, ticket: undefined, named: undefined, client: undefined }
  return {
    mail,
    from,
    to: [],
    cc: [],
    subject: mail.subject ?? '',
    date: undefined,
    files: [],
    blockedAs: [],
    ...nothing
  }
}

function textOf({ text, quoted }: ReadMail): HeldMailDetail['text'] {
  const whole = [text, quoted].filter(part => part !== '').join('\n\n')
  const shown = whole.slice(0, maxTextCharacters).toWellFormed()
  return { shown, isWhole: shown.length === whole.length }
}

function filesOf({ files, omittedFiles }: ReadMail): HeldMailDetail['files'] {
  return [
    ...files.map(({ name, content }) => ({ file_name: name, file_size: content.length })),
    ...omittedFiles.map(name => ({ file_name: name, file_size: null }))
  ].slice(0, maxNames)
}

async function ticketsOf(services: Services, mail: HeldMail, read: ReadMail, from: Mailbox | undefined) {
  const found = await ticketOfMail(services, {
    recipients: recipientsOf(mail, read),
    references: [...read.inReplyTo, ...read.references.toReversed()],
    subject: read.subject,
    sender: from?.email ?? ''
  })
  const ids = [found.ticket?.id, found.named?.id].filter(id => id !== undefined)
  const tickets = ids.length > 0 ? await ticketsNamed(services.db, { ids }) : []
  return {
    ticket: tickets.find(({ id }) => id === found.ticket?.id),
    named: tickets.find(({ id }) => id === found.named?.id)
  }
}

const ticketsNamed = prepared((db, p: { ids: readonly number[] }) =>
  db
    .selectFrom('tickets')
    .where('id', '=', sql<number>`any(${p.ids}::bigint[])`)
    .select(['id', 'ticket_number', 'subject', 'status'])
)

async function aboutSender(db: Db, email: string | undefined) {
  if (email === undefined) return {}
  const [client, blockedAs] = await Promise.all([accountOfSender(db, email), blockedNames(db, [email])])
  return { client, blockedAs }
}
