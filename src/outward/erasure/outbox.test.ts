import assert from 'node:assert/strict'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { zebedeeDetails } from '../../../test/support/client-with-all-data.ts'
import { quiet } from '../../../test/support/database.ts'
import { bootDesk } from '../../../test/support/desk.ts'
import { erase, storeCounts } from '../../../test/support/erasure.ts'
import { aClient, anAdmin, type Person } from '../../../test/support/people.ts'
import { assign, aTicket } from '../../../test/support/tickets.ts'
import { readConfig } from '../../core/config.ts'
import { outboxJobs } from '../../mail/outbox/jobs.ts'
import { mailFolder } from '../../platform/mail/outbox-folder.ts'
import { outboxFileName, outboxFolder } from '../../platform/outbox-file.ts'
import { textFolder } from '../../platform/texts/outbox-folder.ts'

const dataDir = await mkdtemp(join(tmpdir(), 'deskline-erased-outbox-'))
after(() => rm(dataDir, { recursive: true }))
const folder = outboxFolder(dataDir)
const config = { ...readConfig({ NODE_ENV: 'test', DATA_DIR: dataDir }), NOTIFICATION_DELAY_SECONDS: 0 }
const services = { mail: mailFolder(folder, quiet), texts: textFolder(folder, quiet) }
const desk = await bootDesk({ connections: 5, config, services })
const admin = await anAdmin(desk)

/** The names and contents of all files of the outbox, which are not encoded. */
async function outbox(): Promise<string> {
  const names = await readdir(folder)
  const contents = await Promise.all(names.map(async name => `${name}\n${await readFile(join(folder, name), 'utf8')}`))
  return contents.join('\n')
}

let serial = 0

/** A client who got e-mails and a text message, also at a former address, and about whom staff were notified by e-mail. */
async function aClientWithEmails(): Promise<{ client: Person; number: string }> {
  const client = await aClient(desk, {
    ...zebedeeDetails,
    email: `zeb${++serial}@quixwood.example`,
    is_email_verified: true
  })
  const { ticket_id, ticket_number } = await aTicket(desk, client, { message: 'A message of Quixwood.' })
  await assign(desk, ticket_id, admin.id)
  await desk.post('/api/tickets/reply', client, { id: ticket_id, message: 'Signed, Zebedee Quixwood.' })
  await desk.post('/api/auth/send-phone-verification', client)
  await desk.deliver()
  const change = { email: `zeb${++serial}@quixwood.example`, current_password: client.password }
  assert.equal((await desk.post('/api/account/profile/update', client, change)).status, 200)
  await desk.post('/api/auth/forgot-password', undefined, { email: change.email })
  await desk.deliver()
  return { client: { ...client, email: change.email }, number: ticket_number }
}

for (const mode of ['cascade', 'anonymize']) {
  test(`to ${mode} leaves no e-mail to the client or about the client in the outbox, and those of others`, async () => {
    const other = await aClient(desk, { email: `other${++serial}@example.com` })
    const { ticket_id: id } = await aTicket(desk, other)
    const { client, number } = await aClientWithEmails()
    const inCopy = { id, message: 'Look here.', [mode === 'cascade' ? 'bcc' : 'cc_once']: [client.email] }
    assert.equal((await desk.post('/api/admin/tickets/reply', admin, inCopy)).status, 201)
    await desk.deliver()
    const sent = desk.db.selectFrom('outbox_messages').where('recipient', '=', client.email).select('kind')
    assert.ok((await sent.execute()).some(({ kind }) => kind === 'follower-ticket'))
    const names = [number, 'Quixwood', 'quixwood', zebedeeDetails.phone_number]
    const before = await outbox()
    for (const name of names) assert.ok(before.includes(name), name)

    const { status, data } = await erase(desk, admin, client, mode)

    const left = await outbox()
    assert.equal(status, 200)
    assert.ok(storeCounts(data.stores, 'removed').outbox! >= 5)
    for (const name of names) assert.ok(!left.includes(name), name)
    assert.deepEqual(await sent.execute(), [])
    assert.ok(left.includes(other.email))
    await desk.deliver()
  })
}

test('an e-mail that is on its way while its client is erased leaves no file', async () => {
  const client = await aClient(desk, { email: 'late@quixwood.example', is_email_verified: true })
  await aTicket(desk, client)
  const [taken, erased] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const { mail } = desk.services
  const slow: typeof mail = {
    async send(message) {
      taken.resolve()
      await erased.promise
      return await mail.send(message)
    }
  }

  desk.services.mail = slow
  const delivered = desk.deliver()
  await taken.promise
  await erase(desk, admin, client, 'cascade')
  erased.resolve()
  await delivered
  desk.services.mail = mail

  assert.ok(!(await outbox()).includes('quixwood'))
})

test('what another process wrote, whose files are not here, a job removes there', async () => {
  const client = await aClient(desk, { email: 'elsewhere@quixwood.example', is_email_verified: true })
  await aTicket(desk, client)
  await desk.deliver()
  const written = new Map<string, Buffer>()
  for (const name of await readdir(folder)) written.set(name, await readFile(join(folder, name)))
  await erase(desk, admin, client, 'cascade')
  for (const [name, content] of written) await writeFile(join(folder, name), content)

  await desk.deliver()

  assert.ok(!(await outbox()).includes('quixwood'))
})

test('the sweep removes files that are older than their rows can be, and no others', async () => {
  const dayOf = (days: number) => new Date(desk.clock.now().getTime() - days * 86_400_000)
  const [old, young] = [
    outboxFileName(dayOf(34), 'message-1.x', 'eml'),
    outboxFileName(dayOf(32), 'message-2.x', 'eml')
  ]
  for (const name of [old, young, 'kept-by-hand.eml']) await writeFile(join(folder, name), 'words')

  await outboxJobs(desk.services).sweep({}, { number: 1, isLast: true })

  const left = await readdir(folder)
  assert.deepEqual(
    [old, young, 'kept-by-hand.eml'].map(name => left.includes(name)),
    [false, true, true]
  )
})
