import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import { openDatabase } from '../../src/platform/db/open.ts'
import { startEmbedded } from '../../src/platform/postgres/embedded.ts'
import { quiet } from '../support/database.ts'
import { certificatePath, type MailServer, mailServer } from '../support/mail-server.ts'
import { run, served } from '../support/program.ts'
import { copyTemplateCluster } from '../support/template-cluster.ts'

const server = await mailServer({ authOptional: false })

describe('a service with a mail server', () => {
  let environment: NodeJS.ProcessEnv & { DATA_DIR: string }
  let service: Awaited<ReturnType<typeof served>>
  before(async () => {
    environment = {
      DATA_DIR: await mkdtemp(join(tmpdir(), 'deskline-mail-')),
      NODE_ENV: 'production',
      HOST: '127.0.0.1',
      BASE_URL: 'https://desk.example',
      SMTP_URL: `smtp://desk:s3cret@127.0.0.1:${server.port}?tls=required`,
      MAIL_FROM: 'Desk <desk@desk.example>',
      NODE_EXTRA_CA_CERTS: certificatePath
    }
    await copyTemplateCluster(environment.DATA_DIR)
    service = await served(environment)
  })
  after(async () => {
    await service.stop()
    await rm(environment.DATA_DIR, { recursive: true, force: true })
  })

  async function post(path: string, body: object, headers: Record<string, string> = {}) {
    const response = await fetch(service.url + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body)
    })
    assert.ok(response.ok, await response.clone().text())
    return (await response.json()) as { data: object }
  }

  test('a reset link travels encrypted, by e-mail alone, under the id of the request that asked for it', async () => {
    const client = { first_name: 'Anna', last_name: 'A', email: 'anna@example.com', password: 'correct horse' }
    await post('/api/auth/signup', client)

    const answer = await post('/api/auth/forgot-password', { email: client.email }, { 'x-request-id': 'request-77' })
    await until(() => server.emails.length === 1, 'the e-mail came')

    const [{ isEncrypted, user, email, to }] = server.emails as [MailServer['emails'][0]]
    assert.deepEqual(answer.data, { email: client.email, expires_in: 3600 })
    assert.deepEqual([isEncrypted, user, to], [true, 'desk', [client.email]])
    const requestId = String(email.headers.find(each => each.key === 'x-request-id')?.value)
    assert.match(requestId, /^[\da-f-]{36}$/)
    assert.match(email.text!, /^https:\/\/desk\.example\/reset-password\?token=\S+&email=anna%40example\.com$/m)
    await service.says(new RegExp(`"requestId":"${requestId}","callersRequestId":"request-77"`))
    await service.says(new RegExp(`"requestId":"${requestId}".*An e-mail was sent`))
  })

  test('the command line lists e-mails with the answer of the server, and the doctor logs in there', async () => {
    const [sent, failed, misused, doctor] = await Promise.all([
      run(['outbox', '--state', 'sent'], environment),
      run(['outbox', '--state', 'failed'], environment),
      run(['outbox', '--state', 'lost'], environment),
      run(['doctor'], environment)
    ])

    assert.equal(sent.code, 0)
    assert.match(sent.output, /^ID +KIND +RECIPIENT +STATE +TRIES/)
    assert.match(sent.output, /^1 +reset-link +anna@example\.com +sent +1 .* [\da-f-]{36} +250 2\.0\.0 Ok: kept as 1$/m)
    assert.deepEqual(failed, { code: 0, output: 'There are no messages.\n' })
    assert.equal(misused.code, 2)
    assert.match(doctor.output, new RegExp(`^ok {3}mail: 127\\.0\\.0\\.1:${server.port} lets us in$`, 'm'))
    assert.match(doctor.output, /^warn texts: SMS_URL is not set: texts become files/m)
  })

  test('killed when its e-mail has just been taken, it sends the e-mail again under the same Message-ID, and no third time', async () => {
    server.onEmail = () => {
      server.onEmail = () => {}
      service.child.kill('SIGKILL')
    }

    await post('/api/auth/send-email-verification', { email: 'anna@example.com' })
    await until(() => service.child.signalCode !== null, 'it was killed')
    await twoMinutesPass(environment.DATA_DIR)
    service = await served(environment)
    await until(() => server.emails.length === 3, 'the e-mail came again')
    await service.says(/An e-mail was sent/)

    const [, first, second] = server.emails.map(message => message.email)
    const { output } = await run(['outbox', '--state', 'sent'], environment)
    assert.equal(first!.messageId, second!.messageId)
    assert.equal(first!.text, second!.text)
    assert.match(output, /^2 +email-code +anna@example\.com +sent +2 /m)
    assert.equal(server.emails.length, 3)
  })
})

test('production without a mail server says at start that nobody receives e-mails', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'deskline-mail-'))
  await copyTemplateCluster(dataDir)

  const service = await served({
    DATA_DIR: dataDir,
    NODE_ENV: 'production',
    HOST: '127.0.0.1'
  })
  await service.stop()

  assert.match(service.output(), /"level":40.*SMTP_URL is not set: e-mails are not sent/)
  assert.match(service.output(), /"level":40.*SMS_URL is not set: text messages are not sent/)
  await rm(dataDir, { recursive: true, force: true })
})

/** What the queue does once a job has run for too long: its process is taken for dead, and the job is tried again. */
async function twoMinutesPass(dataDir: string): Promise<void> {
  const embedded = await startEmbedded({ dataDir, log: quiet })
  const { db, close } = openDatabase({
    connection: embedded.connection,
    maxConnections: 1,
    statementTimeoutMilliseconds: 15_000,
    connectTimeoutMilliseconds: 20_000,
    onIdleError() {}
  })
  await sql`update pgboss.job set state = 'retry', start_after = now() where state = 'active'`.execute(db)
  await close()
  await embedded.stop()
}

async function until(isSo: () => boolean, what: string): Promise<void> {
  const deadline = Date.now() + 60_000
  while (!isSo()) {
    assert.ok(Date.now() < deadline, `in time: ${what}`)
    await pause(5)
  }
}
