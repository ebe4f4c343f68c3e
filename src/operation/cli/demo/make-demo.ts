import { Readable } from 'node:stream'
import type { ClientActor, StaffActor } from '../../../core/actor.ts'
import type { Db } from '../../../core/db.ts'
import type { Services } from '../../../core/services.ts'
import { isLoopback } from '../../../lib/loopback.ts'
import { clientByEmail } from '../../../people/clients/client-by-email.ts'
import { signUp } from '../../../people/clients/sign-up.ts'
import { createSupporter } from '../../../people/staff/administration.ts'
import { ensureFirstAdmin } from '../../../people/staff/first-admin.ts'
import { grantedSlugs, memberColumns } from '../../../people/staff/member.ts'
import { outerTransaction } from '../../../platform/db/outer-transaction.ts'
import type { StagedFile } from '../../../platform/files/file-store.ts'
import { uploadStore } from '../../../tickets/attachments/uploads.ts'
import { assignTicket } from '../../../tickets/desk/assign-ticket.ts'
import { setStatus } from '../../../tickets/desk/set-status.ts'
import { tagTicket } from '../../../tickets/desk/tag-ticket.ts'
import { watchTicket } from '../../../tickets/desk/watch-ticket.ts'
import { linkTickets } from '../../../tickets/links/link-tickets.ts'
import { splitTicket } from '../../../tickets/links/split-ticket.ts'
import { createMacro } from '../../../tickets/macros/change-macros.ts'
import { createView } from '../../../tickets/queue/change-views.ts'
import { snoozeTicket } from '../../../tickets/snooze/snooze-ticket.ts'
import { createTag } from '../../../tickets/tags/change-tags.ts'
import { newestMessage } from '../../../tickets/threads/new-messages.ts'
import { openTicket } from '../../../tickets/threads/open-ticket.ts'
import { readTicket } from '../../../tickets/threads/read-ticket.ts'
import { replyToTicket } from '../../../tickets/threads/reply-to-ticket.ts'
import { writeNote } from '../../../tickets/threads/write-note.ts'
import { demoCannedReplies, demoMacros, demoTags, demoViews } from './demo-desk.ts'
import { files as demoFiles, type FileName } from './demo-files.ts'
import { type ClientName, clients, demoPassword, type SupporterName, supporters } from './demo-people.ts'
import type { DemoStep, DemoTicket } from './demo-steps.ts'
import { openTickets } from './demo-tickets.ts'
import { makeArticles } from './make-articles.ts'
import { makeFields, makeForm } from './make-forms.ts'
import { makePromises } from './make-promises.ts'
import { makeRules } from './make-rules.ts'
import { settledTickets } from './settled-tickets.ts'

/** The audit log shows this origin, since no request creates the demo. */
const origin = { ip: '127.0.0.1', requestId: 'demo', isSilent: true }
const caller = { ...origin, userAgent: 'deskline demo' }
const hour = 3_600_000

interface People {
  admin: StaffActor
  clients: Record<ClientName, ClientActor>
  supporters: Record<SupporterName, StaffActor>
}

/** An action of somebody in the weeks of the demo. */
interface DemoAction {
  at: Date
  happen(services: Services): Promise<void>
}

/**
 * Creates missing demo data, as if the people had used the desk in the weeks until now, and returns the number of tickets. All or nothing, and
 * nobody gets an e-mail.
 */
export async function makeDemo(services: Services): Promise<number> {
  await ensureFirstAdmin(services, { isLoopback: isLoopback(services.config.HOST) })
  const now = services.clock.now().getTime()
  const firstTicket = Math.max(...settledTickets.map(({ openedHoursAgo }) => openedHoursAgo))
  const before = at(services, new Date(now - (firstTicket + 24) * hour))
  const people = await demoPeople(before)
  const missing: DemoTicket[] = []
  for (const ticket of [...settledTickets, ...openTickets])
    if (!(await ticketOf(services, people.clients[ticket.client], ticket.subject))) missing.push(ticket)
  if (missing.length === 0) return 0

  // The clocks of the tickets follow from their events, once the desk promises something.
  const manager = people.clients.katharina.id
  await makePromises(before, { admin: people.admin, caller, manager, today: new Date(now) })
  await createTagsAndViews(services, people)
  await makeFields(services, { admin: people.admin, caller })
  const happenings = missing.flatMap(ticket => actionsOf(ticket, now - ticket.openedHoursAgo * hour, people))
  happenings.sort((one, other) => Number(one.at) - Number(other.at))
  await outerTransaction(services.db, { isRepeatable: false }, async db => {
    for (const { at: moment, happen } of happenings) await happen({ ...at(services, moment), db })
    await markOldAsRead(db, people)
  })
  // Only now: what was closed before has been asked nothing.
  await makeForm(services, { admin: people.admin, caller })
  await makeRules(services, { admin: people.admin, caller })
  await makeArticles(services, {
    ...people,
    caller,
    ticketOf: (client, subject) => ticketOf(services, people.clients[client], subject),
    daysAgo: days => at(services, new Date(now - days * 24 * hour))
  })
  const splitOff = missing.flatMap(({ steps }) => steps.filter(step => 'split' in step))
  return missing.length + splitOff.length
}

/** Marks answered and closed tickets as read by the admin and the demo supporters. */
async function markOldAsRead(db: Db, { admin, clients, supporters }: People): Promise<void> {
  const theirs = Object.values(clients).map(({ id }) => id)
  const settled = await db
    .selectFrom('tickets')
    .where('client_id', 'in', theirs)
    .where('status', 'in', ['Answered', 'Closed'])
    .select('id')
    .execute()
  for (const { id } of settled) {
    const lastMessageId = await newestMessage(db, id)
    for (const reader of [admin, ...Object.values(supporters)])
      await readTicket(db, reader, id, { lastMessageId, lastNoteId: undefined })
  }
}

/** The same services with another clock. */
function at(services: Services, moment: Date): Services {
  return { ...services, clock: { now: () => moment } }
}

function actionsOf(ticket: DemoTicket, opened: number, people: People): DemoAction[] {
  let id = 0
  const { client, openedHoursAgo: _, steps, tags, files, ...opening } = ticket
  const open: DemoAction = {
    at: new Date(opened),
    async happen(services) {
      const staged = await stagedFiles(services, files)
      const made = await openTicket(services, people.clients[client], origin, { ...opening, files: staged })
      id = made.ticket_id
      if (tags)
        await tagTicket(
          services,
          { actor: people.admin, caller: origin, ref: id, expectedVersion: undefined },
          { tags }
        )
    }
  }
  const later = steps.map(step => ({
    at: new Date(opened + step.after * hour),
    happen: (services: Services) => take(services, step, id, people, client)
  }))
  return [open, ...later]
}

async function take(
  services: Services,
  step: DemoStep,
  ref: number,
  people: People,
  client: ClientName
): Promise<void> {
  const files = 'files' in step ? await stagedFiles(services, step.files) : []
  if ('client' in step) {
    await replyToTicket(services, people.clients[client], origin, ref, { message: step.client, files })
    return
  }
  const actor = people.supporters[step.by]
  const change = { actor, caller: origin, ref, expectedVersion: undefined }
  if ('reply' in step) {
    const { reply: message, status } = step
    await replyToTicket(services, actor, origin, ref, { message, files, ...(status && { status }) })
  } else if ('note' in step) {
    await writeNote(services, actor, origin, ref, { note: step.note, expectedVersion: undefined }, files)
  } else if ('assign' in step) {
    await assignTicket(services, change, { staffId: people.supporters[step.assign].id, force: false })
  } else if ('status' in step) {
    await setStatus(services, change, step.status)
  } else if ('snooze' in step) {
    const { hours, ...snooze } = step.snooze
    const until = new Date(services.clock.now().getTime() + hours * hour).toISOString()
    await snoozeTicket(services, change, { ...snooze, until })
  } else if ('split' in step) {
    const messageIds = [await newestMessage(services.db, ref)]
    await splitTicket(services, change, { messageIds, noteIds: [], clientId: undefined, ...step.split })
  } else if ('blockedBy' in step) {
    const blocking = await ticketOf(services, people.clients[step.blockedBy.client], step.blockedBy.subject)
    if (blocking) await linkTickets(services, { actor, caller: origin, ref: blocking.id, other: ref }, 'blocks')
  } else {
    await watchTicket(services, change, step.watch)
  }
}

/** Creates tags, macros and views, unless they exist. */
async function createTagsAndViews(services: Services, { admin, supporters }: People): Promise<void> {
  const { db } = services
  const [tags, macros, views] = await Promise.all([
    db.selectFrom('tags').select('name').execute(),
    db.selectFrom('macros').select('name').execute(),
    db.selectFrom('ticket_views').select('name').execute()
  ])
  const isThere = (rows: { name: string }[], name: string) => rows.some(row => row.name === name)
  for (const [name, color] of Object.entries(demoTags))
    if (!isThere(tags, name)) await createTag(services, admin, caller, { name, color })
  for (const { title: name, text: reply_text } of demoCannedReplies) {
    const given = { name, reply_text, actions: [], is_shared: 1 } as const
    if (!isThere(macros, name)) await createMacro(services, admin, caller, given, 'canned_reply')
  }
  for (const macro of demoMacros)
    if (!isThere(macros, macro.name)) await createMacro(services, admin, caller, { ...macro, is_shared: 1 })
  for (const view of demoViews)
    if (!isThere(views, view.name)) await createView(services, supporters.grace, caller, { ...view, is_shared: 1 })
}

async function demoPeople(services: Services): Promise<People> {
  const admin = await anyAdmin(services)
  const made = { admin, clients: {}, supporters: {} } as People
  for (const name of Object.keys(supporters) as SupporterName[])
    made.supporters[name] = await demoSupporter(services, admin, supporters[name])
  for (const name of Object.keys(clients) as ClientName[])
    made.clients[name] = await demoClient(services, clients[name])
  return made
}

async function demoClient(services: Services, person: (typeof clients)[ClientName]): Promise<ClientActor> {
  const known = await clientByEmail(services.db, person.email)
  const id = known?.id ?? (await verifiedClient(services, person))
  const { first_name: firstName, last_name: lastName, email } = person
  return { population: 'client', id, firstName, lastName, email }
}

/** Nobody can open the verification e-mail of a demo account. */
async function verifiedClient(services: Services, person: (typeof clients)[ClientName]): Promise<number> {
  const id = await signUp(services, { ...person, password: demoPassword }, { ip: null, requestId: null })
  await services.db.updateTable('clients').set({ is_email_verified: true }).where('id', '=', id).execute()
  return id
}

async function demoSupporter(
  services: Services,
  admin: StaffActor,
  person: (typeof supporters)[SupporterName]
): Promise<StaffActor> {
  const known = await staffActor(services, person.email)
  if (known) return known
  await createSupporter(services, admin, origin, { ...person, password: demoPassword })
  return (await staffActor(services, person.email))!
}

async function anyAdmin(services: Services): Promise<StaffActor> {
  const admin = await services.db
    .selectFrom('staff')
    .where('role', '=', 'admin')
    .select('email')
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()
  if (!admin)
    throw new Error('There is no admin who could employ the demo supporter: run "deskline create-admin" first.')
  return (await staffActor(services, admin.email))!
}

async function staffActor({ db }: Services, email: string): Promise<StaffActor | undefined> {
  const member = await db
    .selectFrom('staff')
    .where('email', '=', email)
    .select([...memberColumns, grantedSlugs.as('permissions')])
    .executeTakeFirst()
  if (!member) return undefined
  const { id, role, permissions, first_name: firstName, last_name: lastName } = member
  return {
    population: 'staff',
    id,
    firstName,
    lastName,
    email,
    role,
    permissions,
    departments: undefined,
    owesSecondFactor: false
  }
}

async function ticketOf({ db }: Services, client: ClientActor, subject: string): Promise<{ id: number } | undefined> {
  return await db
    .selectFrom('tickets')
    .where('client_id', '=', client.id)
    .where('subject', '=', subject)
    .select('id')
    .executeTakeFirst()
}

async function stagedFiles(services: Services, names: readonly FileName[] = []): Promise<StagedFile[]> {
  const store = uploadStore(services)
  const stored = names.map(name => {
    const { name: fileName, type, content } = demoFiles[name]
    return store.store(Readable.from([content]), fileName, type)
  })
  return (await Promise.all(stored)) as StagedFile[]
}
