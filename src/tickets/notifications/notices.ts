import type { SqlBool } from 'kysely'
import type { Act } from '../../core/acts/act.ts'
import { prepared } from '../../core/db.ts'
import type { Services } from '../../core/services.ts'
import { addToOutbox } from '../../mail/outbox/add-to-outbox.ts'
import { ticketSender } from '../../mail/support-addresses/ticket-address.ts'
import { clientEmailOf } from '../ticket/client-email.ts'
import type { LockedTicket } from '../ticket/locked-ticket.ts'
import { threadOf } from './send-notifications.ts'
import { staffSeeing } from './staff-notifications.ts'
import { referencesOf } from './ticket-mail.ts'

/** The services needed to queue a notice. */
export type Noticing = Pick<Services, 'config' | 'keys' | 'jobs' | 'clock'>

/**
 * Queues an e-mail of a macro or a rule to the client of a locked ticket, and records it. Clients get it only where they get automatic e-mails in
 * full: otherwise nothing is queued, and the answer says what they get.
 */
export async function emailClient(
  services: Noticing,
  act: Act,
  ticketId: number,
  { subject, text }: { subject: string; text: string }
) {
  const { db } = act
  const { state, email: recipient } = await clientEmailOf(db, ticketId)
  if (state !== 'sent') return state
  const [ticket] = await emailedTicket(db, { id: ticketId })
  const { client_id: clientId, ticket_number: number } = ticket!
  const sender = await ticketSender({ ...services, db }, ticket!)
  const { BASE_URL } = services.config
  const url = `${BASE_URL}/tickets/${number}`
  const messages = [{ by: act.by.type === 'staff' ? act.by.name : sender?.from.name || act.by.name, text }]
  await addToOutbox(services, db, {
    kind: 'client-notice',
    channel: 'mail',
    recipient,
    clientId,
    requestId: act.by.requestId ?? undefined,
    reader: { population: 'client', id: clientId },
    email: {
      template: 'client-notice',
      values: {
        'ticket.number': number,
        'ticket.link': url,
        'notice.subject': subject,
        messages: { messages, filesElsewhere: [], filesRefused: [], hasFiles: false, link: url },
        answerable: sender !== undefined
      }
    },
    about: { ticketId, messageIds: [] },
    marks: {
      ...sender,
      thread: threadOf(ticket!, false),
      references: await referencesOf(db, { ticket: ticketId, recipient, hostname: new URL(BASE_URL).hostname })
    }
  })
  act.happened({ kind: 'ticket.client_emailed', ticket: ticketId })
  return state
}

/**
 * Queues an e-mail to staff who are active and see the locked ticket, other than whoever acts, and records it. `who`: its assignee, its watchers,
 * the members of its department, or the member of staff with this id. Returns their ids.
 */
export async function notifyStaff(
  services: Noticing,
  act: Act,
  ticket: LockedTicket,
  who: 'assignee' | 'watchers' | 'department' | number,
  text: string
): Promise<number[]> {
  const { db } = act
  const { id, ticket_number: number, subject, assigned_staff_id: assignee, department_id: department } = ticket
  const members = who === 'department' ? new Set((await membersOf(db, { department })).map(({ id }) => id)) : undefined
  const isMeant = (reader: { id: number; is_watcher: SqlBool }) => {
    if (who === 'watchers') return Boolean(reader.is_watcher)
    return members ? members.has(reader.id) : reader.id === (who === 'assignee' ? assignee : who)
  }
  const readers = await staffSeeing(db, { id, department, assignee, everybody: true })
  const told = readers.filter(isMeant).filter(reader => act.by.type !== 'staff' || reader.id !== act.by.id)
  if (told.length === 0) return []
  const [thread] = await emailedTicket(db, { id })
  for (const { id: staffId, email: recipient } of told) {
    await addToOutbox(services, db, {
      kind: 'staff-notice',
      channel: 'mail',
      recipient,
      clientId: ticket.client_id,
      requestId: act.by.requestId ?? undefined,
      reader: { population: 'staff', id: staffId },
      email: {
        template: 'staff-notice',
        values: { 'ticket.number': number, 'ticket.subject': subject, messages: [{ by: act.by.name, text }] }
      },
      about: { ticketId: id, messageIds: [] },
      marks: { thread: threadOf(thread!, false) }
    })
  }
  const staff_ids = told.map(reader => reader.id)
  act.happened({ kind: 'ticket.staff_notified', ticket: id, after: { staff_ids } })
  return staff_ids
}

const emailedTicket = prepared((db, p: { id: number }) =>
  db
    .selectFrom('tickets')
    .where('tickets.id', '=', p.id)
    .select(['tickets.id', 'tickets.client_id', 'tickets.ticket_number', 'tickets.thread_id', 'tickets.department_id'])
)

const membersOf = prepared((db, p: { department: number }) =>
  db.selectFrom('department_members').where('department_id', '=', p.department).select('staff_id as id')
)
