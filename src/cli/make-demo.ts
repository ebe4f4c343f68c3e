import { Readable } from 'node:stream'
import type { ClientActor, StaffActor } from '../actor.ts'
import { uploadStore } from '../attachments/uploads.ts'
import { clientByEmail } from '../clients/client-by-email.ts'
import { signUp } from '../clients/sign-up.ts'
import { setStatus } from '../desk/set-status.ts'
import { isLoopback } from '../lib/loopback.ts'
import { leaveUnsent } from '../notifications/pending-events.ts'
import type { StagedFile } from '../platform/files/file-store.ts'
import type { Services } from '../services.ts'
import { createSupporter } from '../staff/administration.ts'
import { ensureFirstAdmin } from '../staff/first-admin.ts'
import { grantedSlugs, memberColumns } from '../staff/member.ts'
import { openTicket } from '../threads/open-ticket.ts'
import { replyToTicket } from '../threads/reply-to-ticket.ts'
import { type DemoFile, type DemoPerson, demoPassword, demoTickets, supporter } from './demo-data.ts'

/** The demo is made here, not asked for over the network. */
const origin = { ip: '127.0.0.1', requestId: 'demo' }

/** Makes what is missing of the demo data, as the people in it would, and answers how many tickets that were. */
export async function makeDemo(services: Services): Promise<number> {
  await ensureFirstAdmin(services, { isLoopback: isLoopback(services.config.HOST) })
  const grace = await demoSupporter(services)
  let made = 0

  for (const { client, messages, status, ...opening } of demoTickets) {
    const ada = await demoClient(services, client)
    if (await hasTicket(services, ada, opening.subject)) continue
    const [first, ...replies] = messages
    const files = await staged(services, first.files)
    const ticket = await openTicket(services, ada, origin, { ...opening, message: first.text, files })
    for (const { from, text, files } of replies) {
      const sender = from === 'client' ? ada : grace
      const reply = { message: text, files: await staged(services, files) }
      await replyToTicket(services, sender, origin, ticket.ticket_id, reply)
    }
    if (status) await setStatus(services, { actor: grace, caller: origin, ref: ticket.ticket_id }, status)
    // Nobody needs e-mails about a show.
    await leaveUnsent(services.db, ticket.ticket_id, services.clock.now())
    made++
  }
  return made
}

async function demoClient(services: Services, person: DemoPerson): Promise<ClientActor> {
  const known = await clientByEmail(services.db, person.email)
  const id = known?.id ?? (await signUp(services, { ...person, password: demoPassword }))
  const { first_name: firstName, last_name: lastName, email } = person
  return { population: 'client', id, firstName, lastName, email }
}

async function demoSupporter(services: Services): Promise<StaffActor> {
  const known = await staffActor(services, supporter.email)
  if (known) return known
  await createSupporter(services, await anyAdmin(services), origin, { ...supporter, password: demoPassword })
  return (await staffActor(services, supporter.email))!
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

async function hasTicket({ db }: Services, client: ClientActor, subject: string): Promise<boolean> {
  const ticket = await db
    .selectFrom('tickets')
    .where('client_id', '=', client.id)
    .where('subject', '=', subject)
    .select('id')
    .executeTakeFirst()
  return ticket !== undefined
}

async function staged(services: Services, files: DemoFile[] = []): Promise<StagedFile[]> {
  const store = uploadStore(services)
  const stored = files.map(({ name, type, content }) => store.store(Readable.from([content]), name, type))
  return (await Promise.all(stored)) as StagedFile[]
}
