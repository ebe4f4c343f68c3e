import { Readable } from 'node:stream'
import { anArticle } from './articles.ts'
import { turnTwoFactorOn } from './authenticator.ts'
import type { Desk } from './desk.ts'
import { aField } from './fields.ts'
import { aClient, anAdmin, type Person } from './people.ts'
import { aPasskey } from './software-authenticator.ts'
import { aFile, assign, aTicket } from './tickets.ts'

/** What tells of the person, each of a kind that nothing else is likely to hold. */
export const zebedeeDetails = {
  first_name: 'Zebedee',
  last_name: 'Quixwood',
  phone_number: '+31612399887',
  company_name: 'Quixwood & Daughters',
  street_address: '77 Canary Row',
  city: 'Monterey-by-the-Test'
}

/** Words that only staff may ever read. */
export const canary = 'canary-of-the-notes-8f2c'

let serial = 0

/** A client who has left something in every place where clients leave anything, and staff something about them. */
export async function aClientWithAllData(desk: Desk) {
  const email = `zebedee.${++serial}@quixwood.example`
  const client = await aClient(desk, { ...zebedeeDetails, email })
  const admin = await anAdmin(desk)
  await turnTwoFactorOn(desk, client)
  await aPasskey(desk, client)
  const device = { user_type: 'client', user_id: client.id, digest: 'd'.repeat(43), seen_at: desk.clock.now() } as const
  await desk.db.insertInto('known_devices').values(device).execute()
  await desk.post('/api/account/2fa/recovery-codes', client, { password: client.password })
  await desk.post('/api/account/tokens/create', client, { name: 'Nightly export' })
  await desk.post('/api/auth/send-email-verification', undefined, { email })
  await desk.post('/api/auth/send-phone-verification', client)
  await desk.post('/api/auth/forgot-password', undefined, { email })
  await desk.post('/api/auth/login', undefined, { email, password: client.password })
  await desk.post('/api/auth/login', undefined, { email, password: 'wrong' })
  await desk.deliver()
  await desk.post('/api/auth/send-email-verification', undefined, { email })

  const files = [aFile('one.txt', 'the first file'), aFile('two.txt', 'the second file')]
  const ticket = await aTicket(desk, client, { subject: 'Smoke', message: 'There is smoke.' }, files)
  const other = await aTicket(desk, client, { subject: 'Fire', message: 'There is fire.' }, [aFile('one.txt', 'more')])
  const id = ticket.ticket_id as number
  await assign(desk, id, admin.id)
  await desk.post('/api/tickets/reply', admin, { id, message: 'We are coming.' })
  await desk.post('/api/tickets/reply', client, { id, message: 'Thank you.' })
  await workOn(desk, id, admin)
  await fillIn(desk, id, admin)
  const { id: article_id } = await anArticle(desk, admin)
  await desk.post('/api/kb/feedback', client, { article_id, locale: 'en', is_helpful: 0, comment: 'It is too hot.' })
  await desk.post('/api/kb/read', client, { ticket_id: id, article_ids: [article_id] })
  await desk.db.updateTable('tickets').set({ trashed_at: desk.clock.now() }).where('id', '=', other.ticket_id).execute()
  return { client, admin, email, tickets: [id, other.ticket_id as number] }
}

/** A field that clients read, and one for staff. */
async function fillIn(desk: Desk, id: number, admin: Person): Promise<void> {
  const read = await aField(desk, admin, { client_access: 'read' })
  const secret = await aField(desk, admin)
  await desk.post('/api/admin/tickets/update', admin, { id, fields: { [read.key]: 'SN-1', [secret.key]: canary } })
}

async function workOn(desk: Desk, id: number, admin: Person): Promise<void> {
  const author = { staff_id: admin.id, author_first_name: 'Grace', author_last_name: 'Hopper' }
  const note = await desk.db
    .insertInto('ticket_notes')
    .values({ ticket_id: id, ...author, note: canary })
    .returning('id')
    .executeTakeFirstOrThrow()
  await attachTo(desk, note.id)
  await desk.db.insertInto('ticket_watchers').values({ ticket_id: id, staff_id: admin.id }).execute()
  await desk.db
    .insertInto('ticket_followers')
    .values({ ticket_id: id, email: `friend.${serial}@quixwood.example`, name: 'Friend Quixwood', added_by: 'client' })
    .execute()
  await desk.db
    .insertInto('ticket_reads')
    .values({ ticket_id: id, staff_id: admin.id, message_id: 1, note_id: note.id })
    .execute()
  const tag = await desk.db
    .insertInto('tags')
    .values({ name: `${canary}-${serial}` })
    .returning('id')
    .executeTakeFirstOrThrow()
  await desk.db.insertInto('ticket_tags').values({ ticket_id: id, tag_id: tag.id }).execute()
}

/** A file of a note, stored as a request would. */
async function attachTo(desk: Desk, noteId: number): Promise<void> {
  const { files } = desk.services
  const kind = { fileName: `${canary}.txt`, fileType: 'text/plain' }
  const staged = await files.stage(Readable.from([canary]), kind, { maxBytes: 1000 })
  await files.keep([staged])
  await desk.db
    .insertInto('ticket_attachments')
    .values({
      note_id: noteId,
      file_name: staged.fileName,
      file_path: staged.path,
      file_type: staged.fileType,
      file_size: staged.fileSizeBytes,
      sha256: staged.sha256
    })
    .execute()
}
