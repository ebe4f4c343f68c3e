import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { databaseUrl, testDatabase } from '../support/database.ts'
import { imapServer } from '../support/imap-server.ts'
import { certificatePath } from '../support/mail-server.ts'
import { aMail } from '../support/mails.ts'
import { deskline } from '../support/program.ts'
import { until } from '../support/until.ts'

test('killed between storing a mail and marking it, the service marks it later and has it once; both times it comes encrypted', async () => {
  const { connection, db } = await testDatabase({ connections: 2 })
  const dataDir = await mkdtemp(join(tmpdir(), 'deskline-imap-'))
  const server = await imapServer()
  const environment = {
    DATA_DIR: dataDir,
    DATABASE_URL: databaseUrl(connection),
    NODE_EXTRA_CA_CERTS: certificatePath
  }
  const starting = `imap://desk:s3cret@localhost:${server.port}/INBOX?tls=required`
  const client = `auth=xoauth2&token_url=${encodeURIComponent(await provider())}&client_id=desk-client`
  const encrypted = `imaps://desk:refresh-0@localhost:${server.securePort}/INBOX?${client}`
  let worker = deskline(['worker'], { ...environment, IMAP_URL: starting })
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
  assert.ok(server.commands.includes('STARTTLS'), server.commands.join('\n'))
  // By another address, so that nobody waits twenty seconds for the lease of the dead process.
  worker = deskline(['worker'], { ...environment, IMAP_URL: encrypted })
  await until(() => mail.flags.has('\\Seen'), worker.output)
  await until(async () => (await mails())[0]!.state !== 'received', worker.output)
  await until(() => server.isIdling(), worker.output)

  assert.deepEqual(await mails(), [{ state: 'ticket', sender: 'killed@imap.example' }])
  assert.equal((await db.selectFrom('tickets').select('id').execute()).length, 1)
  const tokens = await db.selectFrom('mailbox_tokens').selectAll().execute()
  assert.equal(tokens.length, 1)
  assert.doesNotMatch(JSON.stringify(tokens) + worker.output(), /refresh-\d|desk-client/)
})

/** Gives access tokens, and with each a new refresh token. */
async function provider(): Promise<string> {
  let count = 0
  const server = createServer((request, response) => {
    request.resume()
    response.end(JSON.stringify({ access_token: 'fresh', expires_in: 3_600, refresh_token: `refresh-${++count}` }))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  after(() => server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/token`
}
