import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { bootDesk } from '../../../test/support/desk.ts'
import { type ImapServer, imapServer } from '../../../test/support/imap-server.ts'
import { aMail } from '../../../test/support/mails.ts'
import { until } from '../../../test/support/until.ts'
import { imapAddresses } from '../../platform/mail/imap-address.ts'
import { keepFetching } from './keep-fetching.ts'

const desk = await bootDesk({ connections: 6, config: { MAIL_MAX_BYTES: 2 * 1024 * 1024 } })

/** A process that empties the mailbox, until it is stopped or the tests are over. */
function fetcher(
  server: ImapServer,
  options = '',
  { login = 'desk:s3cret', folder = 'INBOX', pollSeconds = 3_600 } = {}
) {
  const end = new AbortController()
  const IMAP_URL = imapAddresses(`imap://${login}@127.0.0.1:${server.port}/${folder}${options}`)
  const services = {
    ...desk.services,
    config: { ...desk.services.config, IMAP_URL, IMAP_POLL_SECONDS: pollSeconds }
  }
  const ended = keepFetching(services, end.signal, { firstWaitMilliseconds: 20, renewLeaseMilliseconds: 100 })
  const stop = async () => {
    end.abort()
    await ended
  }
  after(stop)
  return { stop, name: IMAP_URL[0]!.name }
}

async function mailsFrom(email: string) {
  return await desk.db
    .selectFrom('inbound_mails')
    .where('sender', '=', email)
    .select(['id', 'state', 'reason', 'via', 'subject'])
    .orderBy('id')
    .execute()
}

async function stateOf(name: string) {
  return await desk.db
    .selectFrom('mailboxes')
    .where('name', '=', name)
    .select(['holder', 'looked_at', 'mail_at', 'unread_mails', 'failing_since', 'last_error', 'last_error_code'])
    .executeTakeFirst()
}

const isSettled = async (email: string, count = 1) =>
  (await mailsFrom(email)).filter(({ state }) => state !== 'received').length >= count

test('what lies unread in a mailbox and what arrives while it idles becomes tickets, and is read there then', async () => {
  const server = await imapServer()
  const [first, former] = [server.deliver(aMail({ From: 'first@imap.example' })), server.deliver(aMail())]
  former.flags.add('\\Seen')
  const { name, stop } = fetcher(server)
  await until(() => isSettled('first@imap.example'))
  await until(() => server.isIdling())

  const second = server.deliver(aMail({ From: 'second@imap.example' }))
  await until(() => isSettled('second@imap.example'))
  await until(async () => (await stateOf(name))?.mail_at != null && server.isIdling())
  await stop()

  const [mail] = await mailsFrom('second@imap.example')
  assert.deepEqual([mail!.state, mail!.via, mail!.subject], ['ticket', 'imap', 'The printer'])
  assert.deepEqual([[...first.flags], [...second.flags]], [['\\Seen'], ['\\Seen']])
  assert.ok(server.commands.filter(command => command === `UID FETCH ${former.uid}`).length === 0)
  const { holder, unread_mails, failing_since } = (await stateOf(name))!
  assert.deepEqual([holder, unread_mails, failing_since], [null, 0, null])
})

test('taken mails are moved to a folder that is made for them, or deleted', async () => {
  const [mover, deleter] = [await imapServer(), await imapServer()]
  mover.deliver(aMail({ From: 'moved@imap.example' }))
  deleter.deliver(aMail({ From: 'deleted@imap.example' }))
  const stops = [fetcher(mover, '?taken=move:Taken'), fetcher(deleter, '?taken=delete')].map(({ stop }) => stop)

  await until(
    () => mover.folders.get('Taken')?.length === 1 && deleter.folders.get('INBOX')!.length === 0,
    async () =>
      JSON.stringify([
        mover.commands,
        deleter.commands,
        await desk.db.selectFrom('mailboxes').select(['name', 'last_error']).execute()
      ])
  )
  await until(async () => (await isSettled('moved@imap.example')) && (await isSettled('deleted@imap.example')))
  await Promise.all(stops.map(stop => stop()))

  assert.equal(mover.folders.get('INBOX')!.length, 0)
  assert.equal(mover.folders.get('Taken')![0]!.flags.size, 0)
})

test('a mail whose connection breaks after it was stored and before it was marked is marked later, and is there once', async () => {
  const server = await imapServer()
  let drops = 0
  server.onCommand = command => (/^UID STORE/.test(command) && drops++ === 0 ? 'drop' : undefined)
  const mail = server.deliver(aMail({ From: 'cut@imap.example' }))
  const { name, stop } = fetcher(server)

  await until(() => mail.flags.has('\\Seen'))
  await until(
    async () => (await stateOf(name))!.failing_since === null && (await isSettled('cut@imap.example')),
    async () => JSON.stringify([await stateOf(name), await mailsFrom('cut@imap.example'), server.commands])
  )
  await stop()

  assert.equal((await mailsFrom('cut@imap.example')).length, 1)
  assert.match((await stateOf(name))!.last_error!, /^The connection to 127\.0\.0\.1 was lost/)
})

test('two processes and one mailbox: one is at it, and the other takes over when that is not heard of', async () => {
  const server = await imapServer()
  const { name, stop } = fetcher(server)
  await until(() => server.isIdling())
  const another = fetcher(server)
  for (let turn = 0; turn < 20; turn++) server.deliver(aMail({ From: 'shared@imap.example', Subject: `${turn}` }))
  await until(() => isSettled('shared@imap.example', 20))
  assert.equal(server.connections(), 1)
  await stop()

  server.deliver(aMail({ From: 'shared@imap.example', Subject: 'last' }))
  await until(() => isSettled('shared@imap.example', 21))
  await another.stop()

  const subjects = (await mailsFrom('shared@imap.example')).map(({ subject }) => subject)
  assert.deepEqual(subjects.toSorted(), [...Array(20).keys(), 'last'].map(String).toSorted())
  assert.equal((await stateOf(name))!.holder, null)
})

test('a connection that is lost is made again, and what came meanwhile is taken', async () => {
  const server = await imapServer()
  const { name, stop } = fetcher(server)
  await until(() => server.isIdling())

  server.isAway = true
  server.hangUp()
  server.deliver(aMail({ From: 'meanwhile@imap.example' }))
  await until(async () => (await stateOf(name))?.failing_since != null)
  server.isAway = false
  await until(() => isSettled('meanwhile@imap.example'))
  await until(async () => (await stateOf(name))!.failing_since === null)
  await stop()
})

test('a server that does not tell of new mails is looked into again and again', async () => {
  const server = await imapServer({ capabilities: 'IMAP4rev1 UIDPLUS MOVE' })
  const { stop } = fetcher(server, '', { pollSeconds: 1 })
  await until(() => server.commands.some(command => command.startsWith('UID SEARCH')))

  server.deliver(aMail({ From: 'polled@imap.example' }))
  await until(() => isSettled('polled@imap.example'))
  await stop()

  assert.ok(!server.commands.some(command => command.startsWith('IDLE')))
})

test('a wrong password and a folder that is not there are said in plain words, without the password', async () => {
  const server = await imapServer()
  const wrong = fetcher(server, '', { login: 'desk:n0tThat' })
  await until(async () => (await stateOf(wrong.name))?.failing_since != null)
  const { last_error, last_error_code } = (await stateOf(wrong.name))!
  await wrong.stop()
  const elsewhere = fetcher(server, '', { folder: 'Nowhere' })
  await until(async () => (await stateOf(elsewhere.name))?.failing_since != null)
  await elsewhere.stop()

  assert.match((await stateOf(elsewhere.name))!.last_error!, /^There is no folder Nowhere/)
  assert.equal(last_error_code, 'login_refused')
  assert.match(last_error!, /^127\.0\.0\.1 refuses the login of desk: the user name or the password is wrong/)
  assert.doesNotMatch(last_error!, /n0tThat/)
  assert.equal(server.commands.filter(command => command === 'LOGIN "desk" "n0tThat"').length, 1)
})

test('what is too large is held by its beginning and stays in the mailbox, and the next one is taken', async () => {
  const server = await imapServer()
  const large = server.deliver(aMail({ From: 'large@imap.example', Subject: 'Large' }, 'x\n'.repeat(1_000_000)))
  const liar = server.deliver(aMail({ From: 'liar@imap.example', Subject: 'Liar' }, 'x\n'.repeat(1_000_000)))
  server.sizeOf = mail => (mail === liar ? 100 : mail.raw.length)
  server.deliver(aMail({ From: 'small@imap.example' }))
  const { stop } = fetcher(server, '?taken=delete')

  await until(() => isSettled('small@imap.example'))
  await until(() => server.folders.get('INBOX')!.length === 2)
  await stop()

  for (const [email, subject] of [
    ['large@imap.example', 'Large'],
    ['liar@imap.example', 'Liar']
  ] as const) {
    const [held] = await mailsFrom(email)
    assert.deepEqual([held!.state, held!.reason, held!.subject], ['held', 'too_large', subject])
  }
  assert.deepEqual([...large.flags], ['\\Seen', '\\Flagged'])
  assert.ok(!server.commands.includes(`UID FETCH ${large.uid} (UID RFC822.SIZE BODY.PEEK[]<0.1048576>)`))
})

test('what is no message is held, what cannot be read is held, and one that the server does not give is held in the end', async () => {
  const server = await imapServer()
  const empty = server.deliver('')
  const nothing = server.deliver('no header at all\r\n')
  const nested = Array.from({ length: 200 }, (_, at) => `Content-Type: multipart/mixed; boundary=b${at}\n\n--b${at}\n`)
  server.deliver(`From: deep@imap.example\nMessage-ID: <deep@imap.example>\n${nested.join('')}`)
  const broken = server.deliver(aMail({ From: 'broken@imap.example' }))
  server.deliver(aMail({ From: 'after@imap.example' }))
  const isWhole = new RegExp(`^UID FETCH ${broken.uid} .*BODY\\.PEEK\\[\\]<0\\.1048576>`)
  server.onCommand = command => (isWhole.test(command) ? 'drop' : undefined)
  const { stop } = fetcher(server)

  await until(() => isSettled('after@imap.example'))
  await until(() => [empty, nothing, broken].every(({ flags }) => flags.has('\\Seen')))
  await until(() => isSettled('broken@imap.example'))
  await stop()

  const held = await desk.db
    .selectFrom('inbound_mails')
    .where('via', '=', 'imap')
    .where('reason', 'in', ['no_message', 'not_fetched', 'nested_too_deeply'])
    .select(['state', 'reason'])
    .orderBy('reason')
    .execute()
  assert.deepEqual(
    held.map(({ state, reason }) => `${state} ${reason}`),
    ['held nested_too_deeply', 'held no_message', 'held no_message', 'held not_fetched']
  )
})

test('a folder that was made anew, with the same numbers for other mails, costs none of them', async () => {
  const server = await imapServer()
  const former = server.deliver(aMail({ From: 'former@imap.example' }))
  let isRemade = false
  server.onCommand = command => {
    if (isRemade || !/^UID STORE/.test(command)) return undefined
    isRemade = true
    // While the first is being marked, the folder is replaced, and another mail has its number.
    server.uidValidity = 2
    server.folders.set('INBOX', [])
    const mail = server.deliver(aMail({ From: 'anew@imap.example' }))
    mail.uid = former.uid
    return 'drop'
  }
  const { stop } = fetcher(server)

  await until(() => isSettled('anew@imap.example'))
  await until(() => server.folders.get('INBOX')!.every(({ flags }) => flags.has('\\Seen')))
  await stop()

  assert.deepEqual(
    [(await mailsFrom('former@imap.example')).length, (await mailsFrom('anew@imap.example')).length],
    [1, 1]
  )
})

test('while the store is full nothing is marked, and afterwards all is there in whole', async () => {
  const server = await imapServer()
  const mail = server.deliver(aMail({ From: 'full@imap.example' }))
  const { files } = desk.services
  const { stage } = files
  let refusals = 0
  files.stage = async content => {
    content.resume()
    refusals++
    throw new Error('no room')
  }
  const { name, stop } = fetcher(server)
  await until(async () => (await stateOf(name))?.failing_since != null)
  assert.deepEqual([refusals > 0, mail.flags.size], [true, 0])

  files.stage = stage
  await until(() => isSettled('full@imap.example'))
  await stop()
  assert.equal((await mailsFrom('full@imap.example'))[0]!.state, 'ticket')
})
