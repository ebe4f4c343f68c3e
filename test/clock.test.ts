import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bootDesk } from './support/desk.ts'
import { aClient, anAdmin } from './support/people.ts'
import { aTicket } from './support/tickets.ts'

const hour = 3600
const credentials = (person: { email: string; password: string }) => ({
  email: person.email,
  password: person.password
})

test('what was handed out before the clock was set back by an hour goes on working', async () => {
  const desk = await bootDesk()
  const client = await aClient(desk)
  const admin = await anAdmin(desk)
  const ticket = await aTicket(desk, client)
  const { data: reset } = await desk.post('/api/auth/forgot-password', undefined, { email: client.email })
  const { data: sent } = await desk.post('/api/auth/send-email-verification', undefined, { email: client.email })

  desk.clock.turn(-hour)

  const replies = [
    await desk.post('/api/tickets/reply', client, { id: ticket.ticket_id, message: 'From the past' }),
    await desk.post('/api/tickets/detail', client, { id: ticket.ticket_id }),
    await desk.post('/api/admin/staff/list', admin),
    await desk.post('/api/auth/verify-email', undefined, { email: client.email, code: sent.code }),
    await desk.post('/api/auth/refresh', undefined, { refresh_token: client.refresh_token }),
    await desk.post('/api/auth/verify-reset-token', undefined, { token: reset.reset_token }),
    await desk.post('/api/auth/reset-password', undefined, {
      token: reset.reset_token,
      new_password: 'battery staple'
    }),
    await desk.post('/api/auth/login', undefined, { email: client.email, password: 'battery staple' })
  ]

  assert.deepEqual(
    replies.map(reply => reply.status),
    [201, 200, 200, 200, 200, 200, 200, 200]
  )
  // The code, the link, and that the password was changed.
  assert.equal((await desk.deliver()).emails.length, 3)
})

test('an e-mail that is posted after the clock was set back is delivered', async () => {
  const desk = await bootDesk()
  const client = await aClient(desk)

  desk.clock.turn(-hour)
  await desk.post('/api/auth/forgot-password', undefined, { email: client.email })

  assert.equal((await desk.deliver()).emails.length, 1)
})

test('guesses from before the clock was set back count for no longer than one window from now on', async () => {
  const desk = await bootDesk({ config: { MAX_WRONG_PASSWORDS: 2, GUESS_WINDOW_SECONDS: 300 } })
  const client = await aClient(desk)
  for (const _ of [1, 2]) await desk.post('/api/auth/login', undefined, { email: client.email, password: 'wrong' })

  desk.clock.turn(-hour)
  const locked = await desk.post('/api/auth/login', undefined, credentials(client))
  desk.clock.turn(301)
  const open = await desk.post('/api/auth/login', undefined, credentials(client))

  assert.equal(locked.status, 429)
  assert.ok(Number(locked.headers.get('retry-after')) <= 300, locked.headers.get('retry-after')!)
  assert.equal(open.status, 200)
})
