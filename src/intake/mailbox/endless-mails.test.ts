import assert from 'node:assert/strict'
import { once } from 'node:events'
import { readdir } from 'node:fs/promises'
import { type IncomingMessage, request } from 'node:http'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Writable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { after, test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { Webhook } from 'standardwebhooks'
import { bootDesk } from '../../../test/support/desk.ts'
import { imapServer } from '../../../test/support/imap-server.ts'
import { aMailbox, localMailServers, receivesFrom, serverAt } from '../../../test/support/mailboxes.ts'
import { aMail, receiverOf } from '../../../test/support/mails.ts'
import { anAdmin } from '../../../test/support/people.ts'
import { until } from '../../../test/support/until.ts'
import { keepFetching } from './keep-fetching.ts'
import { listenForMail } from './listen-for-mail.ts'

const secret = `whsec_${Buffer.from('a secret of thirty-two bytes, yes').toString('base64')}`
const megabyte = 1024 * 1024
const largest = 2 * megabyte
const desk = await bootDesk({
  connections: 6,
  config: {
    MAIL_MAX_BYTES: largest,
    MAIL_INBOUND_SECRET: secret,
    IMAP_URL: [],
    IMAP_POLL_SECONDS: 1,
    ...localMailServers
  }
})
const receive = receiverOf(desk)
const admin = await anAdmin(desk)
const incoming = join(desk.services.config.DATA_DIR, 'uploads/.incoming')

const lines = Buffer.from(`${'x'.repeat(76)}\r\n`.repeat(840))

/** Writes lines without end, as fast as they are taken, until this is over. */
async function writeWithoutEnd(to: Writable, over: Promise<unknown>): Promise<void> {
  let isOver = false
  const end = over.then(() => (isOver = true))
  while (!isOver) await (to.write(lines) ? nextTurn() : Promise.race([once(to, 'drain').catch(() => {}), end]))
}

/** How much more memory outside of the heap is taken at most than now, in bytes, until the returned function is called. */
function watchBuffers(): () => number {
  const { external: before } = process.memoryUsage()
  let most = before
  const watch = setInterval(() => (most = Math.max(most, process.memoryUsage().external)), 5)
  // Where the test fails before that, the timer would keep the run from ending.
  after(() => clearInterval(watch))
  return () => {
    clearInterval(watch)
    return most - before
  }
}

/** What is taken twice, what lies in the sockets of both sides, and what nobody has cleared away yet. */
const fewBuffers = 2 * largest + 48 * megabyte

async function rowsOf(table: 'inbound_mails' | 'tickets'): Promise<number> {
  return (await desk.rowCounts())[table]!
}

for (const protocol of ['lmtp', 'smtp'] as const) {
  test(`who sends a mail without end by ${protocol} is told that it is too large and cut off, while others are taken`, async () => {
    desk.services.config = { ...desk.services.config, MAIL_LISTEN: { protocol, host: '127.0.0.1', port: 0 } }
    const server = (await listenForMail(desk.services))!
    after(() => server.stop())
    const stored = await rowsOf('inbound_mails')
    const socket = connect(server.port, '127.0.0.1')
    let said = ''
    socket.on('data', data => (said += data)).on('error', () => {})
    await until(() => said.startsWith('220 '))
    const greeting = protocol === 'lmtp' ? 'LHLO' : 'EHLO'
    socket.write(`${greeting} x\r\nMAIL FROM:<eve@example.com>\r\nRCPT TO:<support@desk.example>\r\nDATA\r\n`)
    await until(() => said.includes('\n354 '))
    socket.write('From: eve@example.com\r\nSubject: No end\r\n\r\n')

    const other = receive(aMail({ From: `beside-${protocol}@example.com` }))
    const mostBuffers = watchBuffers()
    await writeWithoutEnd(
      socket,
      until(() => said.includes('\n552 '))
    )
    const sent = socket.bytesWritten
    await until(() => socket.destroyed)
    const buffers = mostBuffers()

    assert.ok(buffers < fewBuffers, String(buffers / megabyte))
    assert.equal((await other).outcome, 'ticket')
    assert.match(said, /\n552 5\.3\.4 The message is too large\r\n$/)
    // What is taken, as much again, and what lay in between.
    assert.ok(sent < 2 * largest + 16 * megabyte, String(sent / megabyte))
    assert.equal(await rowsOf('inbound_mails'), stored + 1)
    assert.deepEqual(await readdir(incoming).catch(() => []), [])
  })
}

test('who sends a mail without end to the address for providers is told that it is too large, while others are taken', async () => {
  const stored = await rowsOf('inbound_mails')
  const now = desk.clock.now()
  const sending = request(`${desk.url}/api/mail/inbound`, {
    method: 'POST',
    headers: {
      'webhook-id': 'endless',
      'webhook-timestamp': String(Math.floor(now.getTime() / 1_000)),
      'webhook-signature': new Webhook(secret).sign('endless', now, 'what it would say')
    }
  })
  sending.on('error', () => {})
  const answered = once(sending, 'response') as Promise<[IncomingMessage]>
  sending.write('From: eve@example.com\r\nSubject: No end\r\n\r\n')

  const other = receive(aMail({ From: 'beside-webhook@example.com' }))
  const mostBuffers = watchBuffers()
  await writeWithoutEnd(sending, answered)
  const [answer] = await answered
  const sent = sending.socket!.bytesWritten
  const buffers = mostBuffers()

  assert.ok(buffers < fewBuffers, String(buffers / megabyte))
  assert.equal((await other).outcome, 'ticket')
  assert.deepEqual([answer.statusCode, JSON.parse(await text(answer)).message], [413, 'The request body is too large'])
  assert.ok(sent < 2 * largest + 16 * megabyte, String(sent / megabyte))
  assert.equal(await rowsOf('inbound_mails'), stored + 1)
  assert.deepEqual(await readdir(incoming).catch(() => []), [])
  sending.destroy()
})

/** A server with one unread mail, which it says is small, and whose text has no end: in one answer, or a full piece for each that is asked for. */
async function endlessServer(howItSends: 'at once' | 'in pieces') {
  const sockets = new Set<Socket>()
  let sentBytes = 0
  const server = createServer(socket => {
    sockets.add(socket)
    socket.on('error', () => {})
    const say = (line: string) => socket.write(`${line}\r\n`)
    say('* OK ready')
    const answer = async (line: string) => {
      const [tag, ...words] = line.split(' ')
      const command = words.join(' ').toUpperCase()
      const piece = /<\d+\.(\d+)>/.exec(command)?.[1]
      if (command.startsWith('CAPABILITY')) say('* CAPABILITY IMAP4rev1')
      else if (command.startsWith('SELECT')) for (const each of folder) say(each)
      else if (command.startsWith('UID SEARCH')) say('* SEARCH 7')
      else if (command.startsWith('UID FETCH') && !piece)
        say('* 1 FETCH (UID 7 RFC822.SIZE 900 INTERNALDATE "24-Nov-2026 10:00:00 +0000")')
      else if (command.startsWith('LIST')) say('* LIST () "/" INBOX')
      else if (piece && howItSends === 'at once') {
        say('* 1 FETCH (UID 7 BODY[]<0> {10737418240}')
        return await writeWithoutEnd(socket, new Promise(resolve => socket.once('close', resolve)))
      } else if (piece) {
        const head = sentBytes === 0 ? 'From: eve@example.com\r\nSubject: No end\r\n\r\n' : ''
        sentBytes += Number(piece)
        socket.write(`* 1 FETCH (UID 7 BODY[]<0> {${piece}}\r\n${head.padEnd(Number(piece), 'x')})\r\n`)
      }
      say(`${tag} OK done`)
    }
    createInterface({ input: socket })
      .on('line', line => void answer(line))
      .on('error', () => {})
    socket.on('close', () => {
      sentBytes = Math.max(sentBytes, socket.bytesWritten)
      sockets.delete(socket)
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  after(() => {
    server.close()
    for (const socket of sockets) socket.destroy()
  })
  const { port } = server.address() as AddressInfo
  return { port, sentBytes: () => Math.max(sentBytes, ...[...sockets].map(socket => socket.bytesWritten)) }
}

const folder = ['* 1 EXISTS', '* OK [UIDVALIDITY 1] one', '* FLAGS (\\Seen)', '* OK [PERMANENTFLAGS (\\Seen)] yes']

for (const howItSends of ['at once', 'in pieces'] as const) {
  test(`a mailbox whose server sends a mail without end ${howItSends} says what is wrong, while others are taken`, async () => {
    const [bad, good] = [await endlessServer(howItSends), await imapServer()]
    const [name, from] = [howItSends.replace(' ', '-'), `beside-${howItSends.replace(' ', '-')}@people.example`]
    const { id } = await aMailbox(desk, admin, { address: `${name}@endless.example`, imap: serverAt(bad.port) })
    const other = await aMailbox(desk, admin, { address: `${name}@box.example`, ...receivesFrom(good) })
    const end = new AbortController()
    after(() => end.abort())
    const fetching = keepFetching(desk.services, end.signal, { firstWaitMilliseconds: 20, renewLeaseMilliseconds: 100 })

    const mostBuffers = watchBuffers()
    good.deliver(aMail({ From: from, To: 'undisclosed-recipients:;' }))
    await until(async () => (await mailsOf(other.id)).some(({ state }) => state === 'ticket'))
    const told = async () => JSON.stringify([await lastErrors(), await mailsOf(id), bad.sentBytes()])
    if (howItSends === 'at once') await until(async () => (await lastErrors()).includes('connection_lost'), told)
    else await until(async () => (await mailsOf(id)).some(({ reason }) => reason === 'too_large'), told)
    const sent = bad.sentBytes()
    const buffers = mostBuffers()
    assert.ok(buffers < fewBuffers, String(buffers / megabyte))
    for (const box of [id, other.id]) await desk.post('/api/admin/mail/mailboxes/delete', admin, { id: box })
    end.abort()
    await fetching

    // Asked for twice: whole, which ends at the limit, and its beginning.
    assert.ok(sent < 4 * largest + 16 * megabyte, String(sent / megabyte))
    assert.deepEqual(await readdir(incoming).catch(() => []), [])
  })
}

async function mailsOf(mailbox: number) {
  return await desk.db
    .selectFrom('inbound_mails')
    .where('mailbox_id', '=', mailbox)
    .select(['state', 'reason', 'size_bytes'])
    .execute()
}

/** As they are kept: the API tells an error only until the mailbox is looked into again, which may be a moment later. */
async function lastErrors() {
  const mailboxes = await desk.db.selectFrom('mailboxes').select('last_error_code').execute()
  return mailboxes.map(mailbox => mailbox.last_error_code)
}
