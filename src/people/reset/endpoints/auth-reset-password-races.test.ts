import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Secret, TOTP } from 'otpauth'
import { bootDesk } from '../../../../test/support/desk.ts'
import { untilLockWait } from '../../../../test/support/lock-waits.ts'
import { aClient, type Person } from '../../../../test/support/people.ts'
import { transaction } from '../../../core/db.ts'
import { rotateSession } from '../../../core/sessions/rotate-session.ts'
import { openSession } from '../../../core/sessions/sessions.ts'
import { completeChallenge, issueChallenge } from '../../auth/challenges.ts'
import { sealPurpose } from '../../auth/second-factor.ts'
import { lockClient } from '../../clients/lock-client.ts'
import { invalidateResetLinks } from '../../credentials/end-sign-ins.ts'

const desk = await bootDesk({ connections: 10 })
const address = '/api/auth/reset-password'
const device = { ip: '127.0.0.1', userAgent: 'test', requestId: 'test' }

async function activeSessions(client: Person) {
  return await desk.db
    .selectFrom('sessions')
    .where('client_id', '=', client.id)
    .where('ended_at', 'is', null)
    .select('id')
    .execute()
}

async function resetTokenFor(client: Person): Promise<string> {
  return (await desk.post('/api/auth/forgot-password', undefined, { email: client.email })).data.reset_token
}

async function stored(client: Person): Promise<string> {
  const row = await desk.db
    .selectFrom('clients')
    .where('id', '=', client.id)
    .select('password')
    .executeTakeFirstOrThrow()
  return row.password
}

async function hasPassword(client: Person, password: string): Promise<boolean> {
  return await desk.services.passwords.fits(password, await stored(client))
}

/** Whether an access token is still valid: without one this is 400 for a missing e-mail address. */
async function isIn(token: string): Promise<boolean> {
  return (await desk.post('/api/auth/send-email-verification', { token })).status === 200
}

test('one token used twenty times at once changes the password exactly once', async () => {
  const client = await aClient(desk)
  const token = await resetTokenFor(client)
  const tries = Array.from({ length: 20 }, (_, at) => `password ${at}`)

  const replies = await Promise.all(tries.map(new_password => desk.post(address, undefined, { token, new_password })))

  const won = replies.findIndex(each => each.status === 200)
  assert.deepEqual(replies.map(each => each.status).sort(), [200, ...Array(19).fill(401)])
  assert.equal(await hasPassword(client, tries[won]!), true)
})

test('a reset beside a new reset e-mail waits for it and loses, rather than both waiting for one another', async () => {
  const client = await aClient(desk)
  const token = await resetTokenFor(client)

  const reset = await transaction(desk.db, async db => {
    await lockClient(db, client.id)
    const reset = desk.post(address, undefined, { token, new_password: 'a new password' })
    await untilLockWait(desk)
    await invalidateResetLinks(db, { population: 'client', id: client.id }, desk.clock.now())
    return { reply: reset }
  })

  assert.equal((await reset.reply).status, 401)
  assert.equal(await hasPassword(client, client.password), true)
})

test('resets and new reset e-mails at once all end well', async () => {
  const client = await aClient(desk)
  const token = await resetTokenFor(client)

  const statuses = await Promise.all(
    Array.from({ length: 20 }, async (_, at) =>
      at % 2
        ? (await desk.post('/api/auth/forgot-password', undefined, { email: client.email })).status
        : (await desk.post(address, undefined, { token, new_password: 'a new password' })).status
    )
  )

  assert.ok(statuses.every(status => status === 200 || status === 401))
})

test('a second factor that comes while the password is reset opens no session that lives', async () => {
  const secret = new Secret()
  for (let round = 0; round < 8; round++) {
    const client = await aClient(desk)
    const account = { population: 'client', id: client.id, password: await stored(client) } as const
    const two_factor_secret = desk.services.keys.seal(sealPurpose(account), secret.base32)
    await desk.db
      .updateTable('clients')
      .set({ two_factor_enabled: true, two_factor_secret })
      .where('id', '=', client.id)
      .execute()
    const challenge = await issueChallenge(desk.services, account)
    const token = await resetTokenFor(client)
    const code = new TOTP({ secret }).generate({ timestamp: desk.clock.now().getTime() })

    const [reset] = await Promise.all([
      desk.post(address, undefined, { token, new_password: 'a new password' }),
      ...Array.from({ length: 4 }, () =>
        completeChallenge(desk.services, challenge!, code, device).catch(error => assert.equal(error.status, 401))
      )
    ])

    assert.equal(reset.status, 200)
    assert.deepEqual(await activeSessions(client), [])
  }
})

test('after a reset no session lives that the old password or its tokens opened, however they race', async () => {
  for (let round = 0; round < 8; round++) {
    const client = await aClient(desk)
    const token = await resetTokenFor(client)
    const account = { population: 'client', id: client.id, password: await stored(client) } as const
    let isReset = false
    const opened: string[] = []

    const login = async () => {
      while (!isReset) {
        const session = await openSession(desk.services, desk.db, account, device)
        if (session) opened.push(session.tokens.token)
      }
    }
    const refresh = async () => {
      for (let pair = await rotateSession(desk.services, client.refresh_token, device); pair; ) {
        opened.push(pair.tokens.token)
        pair = await rotateSession(desk.services, pair.tokens.refresh_token, device)
      }
    }
    const reset = async () => {
      const reply = await desk.post(address, undefined, { token, new_password: 'a new password' })
      isReset = true
      assert.equal(reply.status, 200)
    }
    // At least one, however soon the reset commits.
    opened.push((await openSession(desk.services, desk.db, account, device))!.tokens.token)
    await Promise.all([login(), login(), refresh(), reset()])

    assert.deepEqual(await activeSessions(client), [])
    assert.equal(await isIn(opened.at(-1)!), false)
  }
})
