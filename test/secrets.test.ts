import assert from 'node:assert/strict'
import { Writable } from 'node:stream'
import { describe, test } from 'node:test'
import { sql } from 'kysely'
import { pino } from 'pino'
import { readConfig } from '../src/core/config.ts'
import { codeAt, wrongCode } from './support/authenticator.ts'
import { bootDesk } from './support/desk.ts'
import { anAdmin } from './support/people.ts'
import { aFile, aTicket } from './support/tickets.ts'

let logged = ''
const log = pino(
  { level: 'trace' },
  new Writable({
    write(chunk, _encoding, done) {
      logged += chunk
      done()
    }
  })
)
const { production, DISCLOSE_CODES, RESET_URL_ORIGINS } = readConfig({
  NODE_ENV: 'production',
  RESET_URL_ORIGINS: 'https://app.example.com'
})
const RESET_URL = 'https://desk.example.com/reset-password'

describe('in production', async () => {
  const desk = await bootDesk({
    config: { production, DISCLOSE_CODES, RESET_URL, RESET_URL_ORIGINS },
    services: { log }
  })
  const password = 'a password that nobody else has'
  const newPassword = 'another password that nobody has'
  const email = 'ada@example.com'
  /** Everything that only its owner may ever see. */
  const secrets: string[] = [password, newPassword]
  const told: string[] = []

  const post = async (path: string, body: object, token?: string) => {
    const reply = await desk.post(path, token ? { token } : undefined, body)
    told.push(JSON.stringify(reply.body))
    return reply
  }

  test('codes and reset tokens travel by e-mail and text alone', async () => {
    await post('/api/auth/signup', { first_name: 'Ada', last_name: 'L', email, password, phone_number: '+31612345678' })
    await post('/api/auth/forgot-password', { email, redirect_url: 'https://app.example.com/reset' })
    await post('/api/auth/send-email-verification', { email })
    await post('/api/auth/send-phone-verification', { phone_number: '+31612345678' })
    const { emails, messages } = await desk.deliver()

    const words = [...emails, ...messages].map(each => each.text).join('\n')
    const carried = [...words.matchAll(/token=([\w.-]+)|\b(\d{6})\b/g)].map(match => match[1] ?? match[2]!)
    assert.equal(carried.length, 3)
    for (const secret of carried) assert.doesNotMatch(told.join(), new RegExp(secret))
    secrets.push(...carried)
    const [reset, mailed, texted] = [
      carried.find(each => each.includes('.')),
      ...carried.filter(each => each.length === 6)
    ]
    assert.equal((await post('/api/auth/verify-email', { email, code: mailed })).status, 200)
    assert.equal((await post('/api/auth/verify-phone', { phone_number: '+31612345678', code: texted })).status, 200)
    assert.equal((await post('/api/auth/reset-password', { token: reset, new_password: newPassword })).status, 200)
  })

  test('a reset link leads to a configured origin or nowhere', async () => {
    for (const redirect_url of [
      'https://evil.example',
      'https://app.example.com.evil.example',
      'https://app.example.com@evil.example',
      'https://app.example.com:8443',
      'http://app.example.com',
      'https:\\\\evil.example\\https://app.example.com',
      'javascript:alert(1)'
    ]) {
      const reply = await post('/api/auth/forgot-password', { email, redirect_url })
      assert.deepEqual([reply.status, reply.body.errors], [400, ['redirect_url']], redirect_url)
    }
  })

  test('neither the log nor the database has a password, token, code or second factor to read', async () => {
    const first = await post('/api/auth/login', { email, password: newPassword })
    const { secret } = (await post('/api/auth/2fa/setup', {}, first.data.token)).data
    const now = () => codeAt(secret, desk.clock.now())
    await post('/api/auth/2fa/enable', { secret, code: now() }, first.data.token)
    const challenge = await post('/api/auth/login', { email, password: newPassword })
    await post('/api/auth/2fa/verify-login', {
      temp_token: challenge.data.temp_token,
      code: wrongCode(secret, desk.clock.now())
    })
    const second = await post('/api/auth/2fa/verify-login', { temp_token: challenge.data.temp_token, code: now() })
    const third = await post('/api/auth/refresh', { refresh_token: second.data.refresh_token })
    const admin = await anAdmin(desk)
    await post(
      '/api/admin/staff/create',
      { first_name: 'G', last_name: 'H', email: 'grace@example.com', password },
      admin.token
    )
    const { attachments } = await aTicket(desk, third.data, {}, [aFile('a.txt')])
    const link = (await post('/api/tickets/attachment-link', { id: attachments[0].id }, third.data.token)).data
    await fetch(desk.url + link.url.slice(link.url.indexOf('/uploads')))
    await fetch(`${desk.url}/api/auth/verify-reset-token?token=${secrets.find(each => each.includes('.'))}`)
    await fetch(`${desk.url}/api/auth/login`, {
      method: 'POST',
      body: `{"password":"${password}"`,
      headers: { 'content-type': 'application/json' }
    })
    await desk.deliver()
    for (const { data } of [first, second, third]) secrets.push(data.token, data.refresh_token)
    secrets.push(challenge.data.temp_token, secret, admin.token, new URL(link.url).searchParams.get('signature')!)

    const stored = await everyRow()
    assert.ok(stored.includes(email) && logged.includes('/api/auth/login'))
    for (const each of secrets) {
      // Six digits may well be part of an id, a time or a digest, but do not stand alone by chance.
      const whole = new RegExp(`(?<![\\w-])${each.replace(/[^\w-]/g, '\\$&')}(?![\\w-])`)
      assert.doesNotMatch(logged, whole)
      assert.doesNotMatch(stored, whole)
    }
  })

  async function everyRow(): Promise<string> {
    const { rows: tables } = await sql<{ name: string }>`
      select format('%I.%I', schemaname, tablename) as name from pg_tables
      where schemaname not in ('pg_catalog', 'information_schema')`.execute(desk.db)
    const contents: string[] = []
    for (const { name } of tables) {
      const { rows } = await sql<{ row: string }>`select row_to_json(t)::text as row from ${sql.raw(name)} t`.execute(
        desk.db
      )
      contents.push(...rows.map(({ row }) => row))
    }
    return contents.join('\n')
  }
})
