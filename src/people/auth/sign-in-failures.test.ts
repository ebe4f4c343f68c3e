import assert from 'node:assert/strict'
import { test } from 'node:test'
import { codeAt, turnTwoFactorOn, wrongCode } from '../../../test/support/authenticator.ts'
import { bootDesk } from '../../../test/support/desk.ts'
import { aClient, anAdmin, aSupporter, type Person } from '../../../test/support/people.ts'
import { sequencedDatabase } from '../../../test/support/sequenced-database.ts'
import { verifyAudit } from '../../core/audit/verify-audit.ts'
import { recordSignInFailures } from './sign-in-failures.ts'

const desk = await bootDesk({ connections: 10 })
const signIn = ({ email }: { email: string }, password: string, two_factor_code?: string) =>
  desk.post('/api/admin/auth/login', undefined, { email, password, two_factor_code })
const clientSignIn = ({ email }: { email: string }, password: string, two_factor_code?: string) =>
  desk.post('/api/auth/login', undefined, { email, password, two_factor_code })

async function recordedOf({ id }: { id: number }) {
  const rows = await (await sequencedDatabase(desk))
    .selectFrom('audit_log')
    .where('target_type', '=', 'staff')
    .where('target_id', '=', id)
    .where('action', '^@', 'staff.')
    .select(['action', 'actor_type', 'actor_id', 'after', 'ip_address'])
    .orderBy('id')
    .execute()
  return rows.map(({ after, ...row }) => ({ ...row, after: after as { by?: string; count?: number } }))
}

const auditRows = async () =>
  (await (await sequencedDatabase(desk)).selectFrom('audit_log').select('id').execute()).length

async function messagesTo({ email }: Person) {
  return (await desk.deliver()).emails.filter(({ to }) => to === email)
}

test('a sign-in of staff is in the audit log, with its second factor and its address; one of a client is not', async () => {
  const [grace, ada] = [await aSupporter(desk), await aClient(desk)]

  await signIn(grace, grace.password)
  const secret = await turnTwoFactorOn(desk, grace)
  await signIn(grace, grace.password, codeAt(secret, desk.clock.now(), 1))
  desk.clock.turn(60)
  const { temp_token } = (await signIn(grace, grace.password)).data
  await desk.post('/api/auth/2fa/verify-login', undefined, { temp_token, code: codeAt(secret, desk.clock.now(), 1) })
  const before = await auditRows()
  await clientSignIn(ada, ada.password)

  const rows = await recordedOf(grace)
  assert.deepEqual(
    rows.map(({ action, actor_id, after, ip_address }) => [action, actor_id, after, ip_address]),
    ['none', 'authenticator', 'authenticator'].map(second_factor => [
      'staff.signed_in',
      grace.id,
      { second_factor },
      '127.0.0.1'
    ])
  )
  assert.equal(await auditRows(), before)
})

test('any number of failures makes one row for each account and hour, by a job, never in the request of a stranger', async () => {
  const grace = await aSupporter(desk)
  const before = await auditRows()

  await Promise.all(Array.from({ length: 12 }, () => signIn({ email: grace.email.toUpperCase() }, 'wrong')))
  await Promise.all(Array.from({ length: 6 }, (_, at) => signIn({ email: `nobody.${at}@example.com` }, 'wrong')))
  assert.equal(await auditRows(), before)
  await Promise.all([recordSignInFailures(desk.services), recordSignInFailures(desk.services)])
  await signIn(grace, 'wrong')
  await signIn(grace, 'wrong')
  await recordSignInFailures(desk.services)

  const [first, ...more] = await recordedOf(grace)
  assert.deepEqual(
    [first!.action, first!.actor_type, first!.after.by, first!.after.count, first!.ip_address, more],
    ['staff.sign_in_failed', 'system', 'password', 12, '127.0.0.1', []]
  )
  desk.clock.turn(3601)
  await recordSignInFailures(desk.services)
  assert.deepEqual(
    (await recordedOf(grace)).map(({ after }) => after.count),
    [12, 2]
  )
  desk.clock.turn(3601)
  await recordSignInFailures(desk.services)
  assert.deepEqual(await desk.db.selectFrom('sign_in_failures').selectAll().execute(), [])
  assert.equal(await auditRows(), before + 2)
  assert.ok((await verifyAudit(desk.services)).isIntact)
})

test('who is locked out, who is not active and who fails at the second factor is told apart', async () => {
  const [locked, inactive, guessed] = [await aSupporter(desk), await aSupporter(desk), await aSupporter(desk)]
  const secret = await turnTwoFactorOn(desk, guessed)
  await desk.db.updateTable('staff').set({ is_active: false }).where('id', '=', inactive.id).execute()

  for (let at = 0; at < 22; at++) await signIn(locked, 'wrong')
  await signIn(inactive, inactive.password)
  await signIn(guessed, guessed.password, wrongCode(secret, desk.clock.now()))
  const { temp_token } = (await signIn(guessed, guessed.password)).data
  await desk.post('/api/auth/2fa/verify-login', undefined, { temp_token, code: wrongCode(secret, desk.clock.now()) })
  await recordSignInFailures(desk.services)

  const told = async (person: Person) =>
    (await recordedOf(person)).map(({ action, after: { by, count } }) => [action, by, count])
  const sorted = (await told(locked)).toSorted()
  assert.deepEqual(sorted, [
    ['staff.locked_out', undefined, 2],
    ['staff.sign_in_failed', 'password', 20]
  ])
  assert.deepEqual(await told(inactive), [['staff.sign_in_failed', 'inactive', 1]])
  assert.deepEqual(await told(guessed), [['staff.sign_in_failed', 'second-factor', 2]])
  desk.clock.turn(3601)
})

for (const [population, make, enter] of [
  ['client', aClient, clientSignIn],
  ['staff', aSupporter, signIn]
] as const) {
  test(`the owner is told once a day of several wrong second factors with the right password (${population})`, async () => {
    const person = await make(desk)
    const secret = await turnTwoFactorOn(desk, person)

    for (let at = 0; at < 5; at++) await enter(person, person.password, wrongCode(secret, desk.clock.now()))
    assert.deepEqual(await messagesTo(person), [])
    for (let at = 0; at < 3; at++) await enter(person, person.password, wrongCode(secret, desk.clock.now()))

    const told = await messagesTo(person)
    assert.deepEqual(
      told.map(({ subject }) => subject),
      ['Somebody knows your password']
    )
  })

  test(`guesses at a second factor are bounded for the day as well, until there is a new password (${population})`, async () => {
    const strict = await bootDesk({ config: { MAX_WRONG_FACTORS_PER_DAY: 12 } })
    const person = await make(strict)
    const secret = await turnTwoFactorOn(strict, person)
    const path = population === 'client' ? '/api/auth' : '/api/admin/auth'
    const enter = (password: string, two_factor_code: string) =>
      strict.post(`${path}/login`, undefined, { email: person.email, password, two_factor_code })
    const wrong = () => wrongCode(secret, strict.clock.now())

    const statuses = []
    for (let window = 0; window < 3; window++) {
      for (let at = 0; at < 5; at++) statuses.push((await enter(person.password, wrong())).status)
      strict.clock.turn(301)
    }
    const right = await enter(person.password, codeAt(secret, strict.clock.now(), 1))

    assert.deepEqual(statuses, [...Array(12).fill(401), 429, 429, 429])
    assert.ok(right.status === 429 && Number(right.headers.get('retry-after')) > 80_000)
    await strict.post(`${path}/forgot-password`, undefined, { email: person.email })
    const { emails } = await strict.deliver()
    const [, token] = /token=([\w.-]+)/.exec(emails.findLast(({ text }) => /token=/.test(text))!.text)!
    const next = 'battery staple'
    assert.equal((await strict.post(`${path}/reset-password`, undefined, { token, new_password: next })).status, 200)
    assert.equal((await enter(next, codeAt(secret, strict.clock.now(), 1))).status, 200)
  })
}

test('one admin among many rows: the log names no address that nobody on the staff has', async () => {
  await anAdmin(desk)
  await signIn({ email: 'stranger@example.com' }, 'wrong')
  await recordSignInFailures(desk.services)

  const rows = await (await sequencedDatabase(desk)).selectFrom('audit_log').select('after').execute()
  assert.doesNotMatch(JSON.stringify(rows), /stranger@example/)
})
