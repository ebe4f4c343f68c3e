import assert from 'node:assert/strict'
import { test } from 'node:test'
import { codeAt } from './support/authenticator.ts'
import { deskWithClaims } from './support/claims.ts'
import { aMail } from './support/mails.ts'
import { listen } from './support/streams.ts'
import { aTicket } from './support/tickets.ts'

const {
  desk,
  receive,
  admin,
  password,
  post,
  mailsTo,
  signUp,
  typeCode,
  resetByEmail,
  changeOwn,
  mail,
  writeForm,
  meets
} = await deskWithClaims()

let count = 0

test('what came for a claimed address stays withheld from an account that has given it up and proven another', async () => {
  const account = await signUp()
  const victim = account.email
  const own = (await aTicket(desk, account)).ticket_id
  const mailed = (await mail(victim)).ticket_id!
  const formed = (await writeForm(victim))!
  await desk.deliver()

  const moved = await typeCode(await changeOwn(account))

  for (const id of [mailed, formed]) {
    assert.deepEqual(new Set(Object.values(await meets(moved, id))), new Set([false]))
    const answer = `Here is key ${++count}.`
    await post('/api/admin/tickets/reply', admin, { id, message: answer })
    const told = (await desk.deliver()).emails.filter(({ text }) => text.includes(answer))
    assert.deepEqual(
      told.map(({ to }) => to),
      [victim]
    )
    assert.equal((await mail(victim, { subject: `Re: ${told[0]!.subject}`, to: told[0]!.replyTo! })).ticket_id, id)
  }
  assert.ok((await meets(moved, own)).detail)
  const merged = await desk.post('/api/admin/tickets/merge', admin, { id: mailed, into_id: own })
  assert.deepEqual([merged.status, merged.body.reason], [409, 'merge_refused'])
  const { tickets } = await post('/api/tickets/list', moved)
  assert.deepEqual(
    tickets.map(({ id }: { id: number }) => id),
    [own]
  )
})

test('the owner who sets the password by e-mail sees it all, and the session, the second factor and the codes of the claim end', async () => {
  const account = await signUp()
  const { ticket_id: id } = await mail(account.email)
  const { secret } = await post('/api/auth/2fa/setup', account)
  await post('/api/auth/2fa/enable', account, { secret, code: codeAt(secret, desk.clock.now()) })
  await post('/api/account/2fa/recovery-codes', account, { password })
  const invited = await post('/api/auth/send-email-verification', account, { email: account.email })

  const owner = await resetByEmail(account.email)

  assert.equal((await desk.post('/api/tickets/list', account)).status, 401)
  const { profile } = await post('/api/account/profile', owner)
  assert.deepEqual([profile.two_factor_enabled, profile.recovery_codes_left, profile.is_email_verified], [0, 0, 1])
  const late = { email: account.email, code: invited.code }
  assert.equal((await desk.post('/api/auth/verify-email', undefined, late)).status, 400)
  assert.ok((await meets(owner, id!)).detail)
})

test('a proven account that sets its password by e-mail keeps its second factor', async () => {
  const account = await typeCode(await signUp())
  const { secret } = await post('/api/auth/2fa/setup', account)
  await post('/api/auth/2fa/enable', account, { secret, code: codeAt(secret, desk.clock.now()) })
  const { reset_token: token } = await post('/api/auth/forgot-password', undefined, { email: account.email })

  await post('/api/auth/reset-password', undefined, { token, new_password: 'battery staple' })

  const login = await post('/api/auth/login', undefined, { email: account.email, password: 'battery staple' })
  assert.equal(login.requires_2fa, 1)
})

test('an e-mail into a ticket of the account is withheld alone, with its files, its followers, its events and the counts', async () => {
  const account = await signUp()
  const { ticket_id: id, ticket_number } = await aTicket(desk, account)
  const body = `--b\r\nContent-Type: text/plain\r\n\r\nMy secret words.\r\n--b\r\nContent-Type: text/csv; name=secret.csv\r\n\r\na\r\n--b--\r\n`
  const headers = { From: account.email, Cc: 'friend@example.net', Subject: `Re: [${ticket_number}]` }
  const told = (await mailsTo(account.email)).at(-1)!
  const raw = aMail({ ...headers, To: told.replyTo!, 'Content-Type': 'multipart/mixed; boundary=b' }, body)
  const receipt = await receive(raw)
  await post('/api/admin/tickets/reply', admin, { id, message: 'An answer.' })

  assert.deepEqual([receipt.outcome, receipt.ticket_id], ['reply', id])
  const file = await desk.db
    .selectFrom('ticket_attachments')
    .where('file_name', '=', 'secret.csv')
    .where('ticket_id', '=', id)
    .select(['id', 'file_path'])
    .executeTakeFirstOrThrow()
  const events = async () => {
    const stream = await listen(desk.url, { token: account.token, path: '/api/events/stream', body: { after: '0' } })
    await stream.first(({ data }) => data.kind === 'ticket.replied' && data.actor.type === 'staff')
    stream.close()
    return stream.told.filter(({ data }) => data.ticket_id === id).map(({ data }) => `${data.kind} ${data.actor.type}`)
  }
  const seen = async () => {
    const { messages } = await post('/api/tickets/detail', account, { id })
    const { tickets } = await post('/api/tickets/list', account)
    const { followers } = await post('/api/tickets/followers/list', account, { id })
    const found = await post('/api/tickets/search', account, { query: 'secret' })
    return {
      messages: messages.map(({ message }: { message: string }) => message),
      counts: [tickets[0].message_count, tickets[0].attachment_count],
      followers: followers.length,
      found: found.results.length,
      link: (await desk.post('/api/tickets/attachment-link', account, { id: file.id })).status,
      download: (await fetch(desk.url + file.file_path, { headers: { authorization: `Bearer ${account.token}` } }))
        .status,
      events: await events()
    }
  }
  const { client_access, messages } = await post('/api/admin/tickets/detail', admin, { id })
  assert.deepEqual([client_access.is_withheld, client_access.withheld_messages], [0, [messages[1].id]])

  const before = await seen()
  await typeCode(account)
  const after = await seen()

  assert.deepEqual(before, {
    messages: ['Please hurry.', 'An answer.'],
    counts: [2, 0],
    followers: 0,
    found: 0,
    link: 404,
    download: 404,
    events: ['ticket.created client', 'ticket.replied staff']
  })
  assert.deepEqual(after, {
    messages: ['Please hurry.', 'My secret words.', 'An answer.'],
    counts: [3, 1],
    followers: 1,
    found: 1,
    link: 200,
    download: 200,
    events: ['ticket.created client', 'ticket.replied client', 'ticket.replied staff']
  })
})

test('of a ticket by e-mail that staff merge into one of the account, the account sees nothing', async () => {
  const account = await signUp()
  const own = (await aTicket(desk, account)).ticket_id
  const mailed = (await mail(account.email)).ticket_id!
  await post('/api/admin/tickets/reply', admin, { id: mailed, message: 'A secret answer.' })

  await post('/api/admin/tickets/merge', admin, { id: mailed, into_id: own })

  const { messages } = await post('/api/tickets/detail', account, { id: own })
  const { tickets } = await post('/api/tickets/list', account)
  assert.deepEqual(
    messages.map(({ message }: { message: string }) => message),
    ['Please hurry.']
  )
  assert.deepEqual(
    tickets.map((ticket: { id: number; message_count: number }) => [ticket.id, ticket.message_count]),
    [[own, 1]]
  )
  assert.deepEqual(new Set(Object.values(await meets(account, mailed))), new Set([false]))
})
