import { sql } from 'kysely'
import { hasPermission, type StaffActor } from '../../core/actor.ts'
import { type Act, type ActServices, act } from '../../core/acts/act.ts'
import { type Db, prepared } from '../../core/db.ts'
import type { TicketStatus } from '../../core/tables/tickets.ts'
import { Forbidden } from '../../kit/errors.ts'
import { UnknownDepartment } from '../../people/departments/departments.ts'
import { copyFields } from '../fields/set-fields.ts'
import { requireActive } from '../ticket/active-client.ts'
import { assignableStaff } from '../ticket/assignees.ts'
import type { Change } from '../ticket/change-ticket.ts'
import { changeTicketCount } from '../ticket/client-ticket-counts.ts'
import { type LockedTicket, ticketReference, visibleTicketNow } from '../ticket/locked-ticket.ts'
import { deptidOf, destinationDepartment, lockDepartmentOf } from '../ticket/ticket-department.ts'
import { TicketNotFound } from '../ticket/ticket-for.ts'
import { readerVisibility } from '../ticket/visibility.ts'
import { type ChosenMessage, chosenMessages, requireNotes } from './chosen-entries.ts'
import { lockedForWork } from './locked-tickets.ts'
import { changeCounts, moveEntries } from './move-entries.ts'

/** What becomes a ticket of its own. */
export interface Split {
  messageIds: readonly number[]
  noteIds: readonly number[]
  subject: string
  /** The public deptid; undefined: the same department. */
  deptid: number | undefined
  /** Undefined: the same client. */
  clientId: number | undefined
}

/**
 * Moves messages, and notes if they are chosen, into a new ticket: with their files, times and authors. The new ticket has the priority of the
 * former one, its custom fields (for another client those of staff only), and its assignee if they see the department; it is open if its last client message is unanswered. Followers, watchers and tags do
 * not go along: they were for the other matter. Another client may be chosen by whoever could open a ticket for them in that department
 * (`Forbidden`, `ClientNotFound`, `ClientInactive`, `UnknownDepartment`): they read what moves. Nobody is told by e-mail. Throws `InvalidFields` for what
 * may not go, `TicketNotFound`, `VersionConflict`, `TicketMerged`, `TicketTrashed`.
 */
export async function splitTicket(services: ActServices, change: Change<StaffActor>, split: Split) {
  const { actor, caller, ref, expectedVersion } = change
  const { messageIds, noteIds, subject, deptid, clientId } = split
  return await act(services, { actor, caller }, async act => {
    const { db } = act
    await lockDepartmentOf(db, deptid === undefined ? {} : { department_id: deptid })
    const other = await otherClient(db, change, clientId)
    const source = await lockedForWork(db, actor, ref, expectedVersion)
    const messages = await chosenMessages(db, source.id, messageIds)
    await requireNotes(db, source.id, noteIds)
    const department = await departmentFor(db, actor, source, { deptid, isForOther: other !== undefined })

    const entries = { messages, noteIds: [...new Set(noteIds)].toSorted((one, other) => one - other) }
    return await splitInto(act, source, { ...entries, subject, department, clientId: other })
  })
}

/** The same in a running write, of messages of a ticket that it has locked, for the same client in the same department. Throws `InvalidFields`. */
export async function splitLocked(
  act: Act,
  source: LockedTicket,
  { messageIds, subject }: Pick<Split, 'messageIds' | 'subject'>
) {
  const messages = await chosenMessages(act.db, source.id, messageIds)
  const department = { id: source.department_id, deptid: await deptidOf(act.db, source.department_id) }
  return await splitInto(act, source, { messages, noteIds: [], subject, department, clientId: undefined })
}

async function splitInto(act: Act, source: LockedTicket, wanted: Wanted) {
  const target = await moveIntoNew(act, source, wanted)
  recordSplit(act, source, target, wanted)
  return { ticket_id: target.id, ticket_number: target.ticket_number, source_id: source.id }
}

/** The client for whom the new ticket is, locked, if that is not the one of the present ticket. */
async function otherClient(
  db: Db,
  { actor, ref }: Change<StaffActor>,
  clientId: number | undefined
): Promise<number | undefined> {
  if (clientId === undefined) return undefined
  const seen = await visibleTicketNow(db, readerVisibility(actor), ref, {})
  if (!seen) throw TicketNotFound()
  if (seen.client_id === clientId) return undefined
  if (!hasPermission(actor, 'tickets.reply')) {
    throw Forbidden({ message: 'A ticket for another client needs tickets.reply, as opening one does' })
  }
  await requireActive(db, clientId)
  return clientId
}

/** The department of the new ticket, by its own id. For another client it has to be one in which staff could open their ticket. */
async function departmentFor(
  db: Db,
  { departments }: StaffActor,
  { department_id: here }: LockedTicket,
  { deptid, isForOther }: { deptid: number | undefined; isForOther: boolean }
): Promise<{ id: number; deptid: number }> {
  const wanted = deptid ?? (await deptidOf(db, here))
  const [department] = await destinationDepartment(db, { deptid: wanted, here: isForOther ? 0 : here })
  if (!department || (isForOther && !(departments?.includes(department.id) ?? true))) {
    throw UnknownDepartment({ errors: ['department_id'] })
  }
  return { id: department.id, deptid: wanted }
}

interface Entries {
  messages: readonly ChosenMessage[]
  noteIds: readonly number[]
}

type Wanted = Entries & { subject: string; department: { id: number; deptid: number }; clientId: number | undefined }

type NewTicket = Pick<LockedTicket, 'id' | 'ticket_number'>

async function moveIntoNew(act: Act, source: LockedTicket, wanted: Wanted): Promise<NewTicket> {
  const { db, now } = act
  const { messages, noteIds, subject, department, clientId } = wanted
  const isForOther = clientId !== undefined
  const ids = messages.map(({ id }) => id)
  const unanswered = firstUnanswered(messages)
  const assignee = source.assigned_staff_id
  const assigned = assignee === null ? undefined : await assignableStaff(db, assignee, department.id)
  const [target] = await insertNew(db, {
    source: source.id,
    client: clientId ?? source.client_id,
    isForOther,
    department: department.id,
    assignee: assigned?.id ?? null,
    subject,
    messages: messages.length,
    unansweredSince: unanswered?.created_at ?? null,
    now
  })
  const status = unanswered ? 'Open' : source.status === 'Closed' ? 'Closed' : 'Answered'
  const moving = { messages: ids, notes: noteIds, isForOther }
  await keepSplit(db, { source: source.id, target: target!.id, ...moving, now })
  const files = await moveEntries(db, { from: source.id, to: target!.id, ...moving })
  await settleNew(db, { id: target!.id, files, status, now })
  await changeCounts(db, { id: source.id, messages: -ids.length, files: -files })
  await copyFields(db, { from: source.id, to: target!.id, isForOther })
  await copyReadMarks(db, { from: source.id, to: target!.id })
  await linkToSource(db, { from: target!.id, to: source.id, now })
  await changeTicketCount(db, { client: clientId ?? source.client_id, more: 1 })

  const [first] = messages
  const opened = { status, priority: source.priority, department_id: department.deptid } as const
  const after = {
    ...{ ...opened, ...factsOf(first!), is_split: true },
    ...(assigned && { assigned_staff_id: assigned.id })
  }
  // Nobody is told that their message arrived: they know that.
  act.happened({ kind: 'ticket.created', ticket: target!.id, after }, { ...act.by, isSilent: true })
  return target!
}

/** The first client message that no later one of staff answers. */
function firstUnanswered(messages: readonly ChosenMessage[]): ChosenMessage | undefined {
  return messages[messages.findLastIndex(({ sender_type }) => sender_type !== 'client') + 1]
}

/** What an event says of a message. */
function factsOf({ id, sender_type, received_at }: ChosenMessage) {
  return { message_id: id, sender_type, received_at: received_at.toISOString() }
}

function recordSplit(act: Act, source: LockedTicket, target: NewTicket, { messages, noteIds }: Entries): void {
  const moved = { messages: messages.map(factsOf), note_ids: noteIds }
  act.happened({
    kind: 'ticket.split',
    ticket: source.id,
    after: { ...moved, split_into: ticketReference(target) }
  })
  act.happened({
    kind: 'ticket.split',
    ticket: target.id,
    after: { ...moved, split_from: ticketReference(source) },
    logged: false
  })
}

interface NewRow {
  source: number
  client: number
  isForOther: boolean
  department: number
  assignee: number | null
  subject: string
  messages: number
  unansweredSince: Date | null
  now: Date
}

/** For the same client it is answered where the former ticket is answered, and stays with the same organisation. */
const insertNew = prepared((db: Db, p: NewRow) =>
  db
    .insertInto('tickets')
    .columns([
      'client_id',
      'client_email',
      'is_client_email_confirmed',
      'organisation_id',
      'department_id',
      'assigned_staff_id',
      'subject',
      'priority',
      'message_count',
      'created_at',
      'updated_at',
      'waiting_since',
      'unanswered_since',
      'unanswered_of'
    ])
    .expression(db =>
      db
        .selectFrom('tickets as source')
        .where('source.id', '=', p.source)
        .select(eb => [
          eb.val(p.client).as('client_id'),
          sql<string | null>`case when not ${p.isForOther}::boolean then source.client_email end`.as('client_email'),
          sql<boolean>`source.is_client_email_confirmed and not ${p.isForOther}::boolean`.as('is_confirmed'),
          sql<number | null>`case when ${p.isForOther}::boolean
            then (select organisation_id from clients where clients.id = ${p.client}) else source.organisation_id end`.as(
            'organisation_id'
          ),
          eb.val(p.department).as('department_id'),
          sql<number | null>`${p.assignee}::bigint`.as('assigned_staff_id'),
          eb.val(p.subject).as('subject'),
          'source.priority',
          sql<number>`${p.messages}::integer`.as('message_count'),
          eb.val(p.now).as('created_at'),
          eb.val(p.now).as('updated_at'),
          sql<Date | null>`${p.unansweredSince}::timestamptz`.as('waiting_since'),
          sql<Date | null>`${p.unansweredSince}::timestamptz`.as('unanswered_since'),
          sql<number>`${p.messages}::integer`.as('unanswered_of')
        ])
    )
    .returning(['id', 'ticket_number'])
)

/** A new ticket is open until here: the change sets when it was closed. */
const settleNew = prepared((db: Db, p: { id: number; files: number; status: TicketStatus; now: Date }) =>
  db.updateTable('tickets').where('id', '=', p.id).set({
    attachment_count: p.files,
    status: p.status,
    updated_at: p.now
  })
)

interface Kept {
  source: number
  target: number
  messages: readonly number[]
  notes: readonly number[]
  isForOther: boolean
  now: Date
}

/** Before the messages move: the addresses by which they came are put back when the split is undone. */
const keepSplit = prepared((db: Db, p: Kept) =>
  db
    .insertInto('ticket_splits')
    .columns(['source_id', 'target_id', 'message_ids', 'note_ids', 'client_emails', 'created_at'])
    .expression(
      sql`select ${p.source}::bigint, ${p.target}::bigint, ${p.messages}::bigint[], ${p.notes}::bigint[],
        (select coalesce(jsonb_object_agg(id, client_email), '{}') from ticket_messages
          where ${p.isForOther}::boolean and id = any(${p.messages}::bigint[]) and client_email is not null),
        ${p.now}::timestamptz`
    )
)

/** Whoever had read the messages has read them in the new ticket. */
const copyReadMarks = prepared((db: Db, p: { from: number; to: number }) =>
  db
    .insertInto('ticket_reads')
    .columns(['ticket_id', 'staff_id', 'message_id', 'note_id'])
    .expression(db =>
      db
        .selectFrom('ticket_reads')
        .where('ticket_id', '=', p.from)
        .select([sql<number>`${p.to}::bigint`.as('ticket_id'), 'staff_id', 'message_id', 'note_id'])
    )
)

const linkToSource = prepared((db: Db, p: { from: number; to: number; now: Date }) =>
  db.insertInto('ticket_links').values({ from_id: p.from, to_id: p.to, kind: 'split_from', created_at: p.now })
)
