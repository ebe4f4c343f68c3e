import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { databaseUrl, testDatabase } from './support/database.ts'
import { imapServer } from './support/imap-server.ts'
import { aMail } from './support/mails.ts'
import { deskline } from './support/program.ts'
import { until } from './support/until.ts'

test('killed between storing a mail and marking it, the service marks it later and has it once', async () => {
  const { connection, db } = await testDatabase({ connections: 2 })
  const dataDir = await mkdtemp(join(tmpdir(), 'deskline-imap-'))
  const server = await imapServer()
  const environment = {
    DATA_DIR: dataDir,
    DATABASE_URL: databaseUrl(connection),
    IMAP_URL: `imap://desk:s3cret@127.0.0.1:${server.port}/INBOX`
  }
  let worker = deskline(['worker'], environment)
  after(async () => {
    await worker.stop()
    await rm(dataDir, { recursive: true, force: true })
  })
  const mail = server.deliver(aMail({ From: 'killed@imap.example' }))
  let isKilled = false
  server.onCommand = async command => {
    if (isKilled || !command.startsWith('UID STORE')) return undefined
    isKilled = true
    await worker.stop('SIGKILL')
    return 'drop'
  }
  const mails = () => db.selectFrom('inbound_mails').select(['state', 'sender']).execute()

  await until(() => isKilled, worker.output)
  await worker.ended
  assert.deepEqual([(await mails()).length, mail.flags.size], [1, 0])
  // Nobody waits twenty seconds for it here.
  await db
    .updateTable('mailboxes')
    .set({ held_until: new Date(0) })
    .execute()
  worker = deskline(['worker'], environment)
  await until(() => mail.flags.has('\\Seen'), worker.output)
  await until(async () => (await mails())[0]!.state !== 'received', worker.output)
  await until(() => server.isIdling(), worker.output)

  assert.deepEqual(await mails(), [{ state: 'ticket', sender: 'killed@imap.example' }])
  assert.equal((await db.selectFrom('tickets').select('id').execute()).length, 1)
})
