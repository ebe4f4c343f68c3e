import assert from 'node:assert/strict'
import type { AddressInfo } from 'node:net'
import { createServer, type Socket } from 'node:net'
import { after, test } from 'node:test'
import { type ImapServer, imapServer } from '../../../test/support/imap-server.ts'
import { aMailbox, receivesFrom, serverAt } from '../../../test/support/mailboxes.ts'
import { bootMailboxesDesk } from '../../../test/support/mailboxes-desk.ts'
import { aMail } from '../../../test/support/mails.ts'
import { until } from '../../../test/support/until.ts'

const { desk, admin, aProcess, mailsFrom, isSettled, stateOf } = await bootMailboxesDesk()
const letterFrom = (From: string, more: object = {}) => aMail({ From, To: 'undisclosed-recipients:;', ...more })
const base = '/api/admin/mail/mailboxes'

test('what an admin connects, changes and pauses is taken up while processes run, and each mail comes in once', async () => {
  const [first, second] = [await imapServer(), await imapServer()]
  const stops = [aProcess(), aProcess()]
  first.deliver(letterFrom('one@people.example'))
  const box = await aMailbox(desk, admin, { address: 'first@box.example', deptid: 4, ...receivesFrom(first) })

  await until(() => isSettled('one@people.example'))
  const [mail] = await mailsFrom('one@people.example')
  const department = await desk.db
    .selectFrom('departments')
    .where('deptid', '=', 4)
    .select('id')
    .executeTakeFirstOrThrow()
  assert.deepEqual([mail!.state, mail!.mailbox_id, mail!.department_id], ['ticket', box.id, department.id])
  await until(async () => (await stateOf(box.id)).state === 'working')
  assert.equal(first.connections(), 1)

  await desk.post(`${base}/update`, admin, { id: box.id, is_active: 0 })
  await until(() => first.connections() === 0)
  first.deliver(letterFrom('paused@people.example'))
  await desk.post(`${base}/update`, admin, { id: box.id, is_active: 1, ...receivesFrom(second) })
  second.deliver(letterFrom('two@people.example'))
  await until(() => isSettled('two@people.example'))
  assert.equal((await mailsFrom('paused@people.example')).length, 0)

  await desk.post(`${base}/delete`, admin, { id: box.id })
  await until(() => second.connections() === 0)
  for (const stop of stops) await stop()
  assert.equal((await mailsFrom('one@people.example')).length, 1)
})

test('a server that hangs, one that lies and one that sends a byte at a time hold up no other, and say what is wrong', async () => {
  const good = await imapServer()
  const drip = await badServer(socket => {
    const timer = setInterval(() => socket.write('x'), 20)
    socket.on('close', () => clearInterval(timer))
  })
  const silent = await badServer(() => {})
  const liar = await badServer(socket => socket.write('* OK ready\r\n* BYE no\r\n'))
  const boxes = await Promise.all(
    [drip, silent, liar].map((port, at) =>
      aMailbox(desk, admin, { address: `bad${at}@box.example`, imap: serverAt(port) })
    )
  )
  const box = await aMailbox(desk, admin, { address: 'good@box.example', ...receivesFrom(good) })
  const stop = aProcess()

  good.deliver(letterFrom('beside@people.example'))
  await until(() => isSettled('beside@people.example'))
  await until(async () => (await stateOf(boxes[2]!.id)).state === 'failing')
  const { last_error } = await stateOf(boxes[2]!.id)
  assert.match(last_error, /^127\.0\.0\.1|^The connection to 127\.0\.0\.1/)
  assert.equal((await stateOf(box.id)).state, 'working')
  for (const { id } of [...boxes, box]) await desk.post(`${base}/delete`, admin, { id })
  await stop()
})

test('each mailbox says what becomes of people who never wrote, and of what its server took for spam', async () => {
  const server = await imapServer()
  server.folders.set('Junk', [])
  const box = await aMailbox(desk, admin, {
    address: 'strict@box.example',
    ...receivesFrom(server),
    unknown_senders: 'hold',
    spam_folder: 'Junk'
  })
  const stop = aProcess()

  server.deliver(letterFrom('stranger@people.example'))
  inFolder(server, 'Junk', letterFrom('spammer@people.example'))
  await until(() => isSettled('stranger@people.example'))
  await until(() => isSettled('spammer@people.example'))
  assert.deepEqual(
    [...(await mailsFrom('stranger@people.example')), ...(await mailsFrom('spammer@people.example'))].map(
      ({ state, reason }) => [state, reason]
    ),
    [
      ['held', 'unknown_sender'],
      ['held', 'spam_folder']
    ]
  )

  await desk.post(`${base}/update`, admin, { id: box.id, unknown_senders: 'verified', spam_folder: null })
  server.deliver(letterFrom('unproven@people.example'))
  await until(() => isSettled('unproven@people.example'))
  assert.equal((await mailsFrom('unproven@people.example'))[0]!.state, 'held')
  await desk.post(`${base}/delete`, admin, { id: box.id })
  await stop()
})

test('a mailbox that begins now leaves older unread mails where they are', async () => {
  const server = await imapServer()
  const old = server.deliver(letterFrom('old@people.example'))
  old.date = new Date(Date.now() - 3_600_000)
  const box = await aMailbox(desk, admin, { address: 'fresh@box.example', ...receivesFrom(server), begin: 'now' })
  const stop = aProcess()

  server.deliver(letterFrom('new@people.example')).date = new Date(Date.now() + 1_000)
  await until(() => isSettled('new@people.example'))
  assert.deepEqual([(await mailsFrom('old@people.example')).length, old.flags.size], [0, 0])
  await desk.post(`${base}/delete`, admin, { id: box.id })
  await stop()
})

function inFolder(server: ImapServer, folder: string, raw: string): void {
  const mail = server.deliver(raw)
  server.folders.set(
    'INBOX',
    server.folders.get('INBOX')!.filter(each => each !== mail)
  )
  server.folders.get(folder)!.push(mail)
}

/** A server that takes connections and behaves badly; the port. */
async function badServer(behave: (socket: Socket) => void): Promise<number> {
  const sockets = new Set<Socket>()
  const server = createServer(socket => {
    sockets.add(socket)
    socket.on('error', () => {})
    behave(socket)
  }).listen(0, '127.0.0.1')
  await new Promise(resolve => server.once('listening', resolve))
  after(() => {
    server.close()
    for (const socket of sockets) socket.destroy()
  })
  return (server.address() as AddressInfo).port
}
