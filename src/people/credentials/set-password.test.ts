import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { bootDesk } from '../../../test/support/desk.ts'
import { aClient, anAdmin, aSupporter, type Person } from '../../../test/support/people.ts'
import { sequencedDatabase } from '../../../test/support/sequenced-database.ts'
import { replaceAdminPassword } from '../staff/first-admin.ts'

const desk = await bootDesk({ connections: 10 })
const next = 'battery staple'
let admin: Person

before(async () => {
  admin = await anAdmin(desk)
})

type Population = 'client' | 'staff'
const addresses = { client: '/api/auth', staff: '/api/admin/auth' }

/** The token of the reset link that was mailed last. */
async function resetTokenOf(population: Population, { email }: Person): Promise<string> {
  const asked = await desk.post(`${addresses[population]}/forgot-password`, undefined, { email })
  assert.equal(asked.status, 200)
  const { emails } = await desk.deliver()
  return emails
    .findLast(({ to, subject }) => to === email && /Choose/.test(subject))!
    .text.match(/token=([\w.-]+)/)![1]!
}

function reset(population: Population, token: string, new_password = next) {
  return desk.post(`${addresses[population]}/reset-password`, undefined, { token, new_password })
}

function logIn(population: Population, { email }: Person, password: string) {
  const path = population === 'client' ? '/api/auth/login' : '/api/admin/auth/login'
  return desk.post(path, undefined, { email, password })
}

async function toldOf({ email }: Person): Promise<string[]> {
  const { emails } = await desk.deliver()
  return emails
    .filter(({ to, subject }) => to === email && subject === 'Your password was changed')
    .map(({ text }) => text.replaceAll(/\s+/g, ' '))
}

async function recordedOf(type: Population, { id }: Person) {
  return await (await sequencedDatabase(desk))
    .selectFrom('audit_log')
    .where('action', '=', 'password.changed')
    .where('target_type', '=', type)
    .where('target_id', '=', id)
    .select(['actor_type', 'actor_id', 'after'])
    .execute()
}

interface Way {
  name: string
  population: Population
  who: () => Promise<Person>
  by: string
  set(person: Person): Promise<void>
  says: RegExp
}

const ways: Way[] = [
  ...(['client', 'staff'] as const).flatMap((population): Way[] => {
    const who = population === 'client' ? () => aClient(desk) : () => aSupporter(desk)
    return [
      {
        name: 'its owner',
        population,
        who,
        by: 'password',
        set: async person => {
          const change = { current_password: person.password, new_password: next }
          assert.equal((await desk.post('/api/account/password', person, change)).status, 200)
        },
        says: /changed just now, and every other session was ended/
      },
      {
        name: 'a reset link',
        population,
        who,
        by: 'reset-link',
        set: async person => {
          assert.equal((await reset(population, await resetTokenOf(population, person))).status, 200)
        },
        says: /with a link that was sent to this address, and every session/
      }
    ]
  }),
  {
    name: 'an admin',
    population: 'staff',
    who: () => aSupporter(desk),
    by: 'admin',
    set: async ({ id }) => {
      assert.equal((await desk.post('/api/admin/staff/update', admin, { id, password: next })).status, 200)
    },
    says: /by an administrator, and every session/
  },
  {
    name: 'an operator at a terminal',
    population: 'staff',
    who: () => anAdmin(desk),
    by: 'command',
    set: ({ email }) => replaceAdminPassword(desk.services, { email, password: next }),
    says: /by whoever runs the support desk, and every session/
  }
]

for (const { name, population, who, by, set, says } of ways) {
  test(`a ${population} password set by ${name} voids what the former one had opened, tells the owner and is audited`, async () => {
    const person = await who()
    const other = await who()
    const link = await resetTokenOf(population, person)
    const living = await resetTokenOf(population, other)
    const challenge = await halfDoneLogin(population, person)

    // A reset link of its own voids the first as well: what is asked is whether any works afterwards.
    await set(person)

    assert.equal((await reset(population, link, 'another one')).status, 401)
    assert.ok((await challenge()).used_at)
    const others = by === 'password' ? await desk.post('/api/account/profile', person) : undefined
    assert.ok(others === undefined || others.status === 200)
    if (by !== 'password') assert.equal((await desk.post('/api/account/profile', person)).status, 401)
    assert.deepEqual(
      [(await logIn(population, person, person.password)).status, (await logIn(population, person, next)).status],
      [401, 200]
    )
    const told = await toldOf(person)
    assert.equal(told.length, 1)
    assert.match(told[0]!, says)
    const [row, ...more] = await recordedOf(population, person)
    assert.deepEqual([row!.after, more], [{ by, sessions_ended: by === 'password' ? 0 : 1 }, []])
    assert.equal(row!.actor_type, by === 'command' ? 'system' : by === 'admin' ? 'staff' : population)
    assert.deepEqual([await toldOf(other), (await reset(population, living)).status], [[], 200])
  })
}

test('a reset link dies with a deactivation and stays dead, as does one that was asked for while the account was inactive', async () => {
  const [ada, grace] = [await aClient(desk), await aSupporter(desk)]
  const editor = await aSupporter(desk, 'clients.edit')
  const before = { client: await resetTokenOf('client', ada), staff: await resetTokenOf('staff', grace) }
  const switched = async (is_active: 0 | 1) => {
    assert.equal((await desk.post('/api/admin/clients/update', editor, { id: ada.id, is_active })).status, 200)
    assert.equal((await desk.post('/api/admin/staff/update', admin, { id: grace.id, is_active })).status, 200)
  }

  await switched(0)
  const between = await resetTokenOf('client', ada)
  await switched(1)

  const refused = [
    await reset('client', before.client),
    await reset('client', between),
    await reset('staff', before.staff)
  ]
  assert.deepEqual(
    refused.map(({ status }) => status),
    [401, 401, 401]
  )
  assert.deepEqual(
    [(await logIn('client', ada, ada.password)).status, (await logIn('staff', grace, grace.password)).status],
    [200, 200]
  )
  assert.equal((await reset('staff', await resetTokenOf('staff', grace))).status, 200)
})

test('an admin does not change the own password where nobody asks for the current one, and is told where to', async () => {
  const self = await anAdmin(desk)
  const body = { id: self.id, password: next, first_name: 'Changed' }

  const reply = await desk.post('/api/admin/staff/update', self, body)

  assert.equal(reply.status, 403)
  assert.match(reply.body.message, /\/api\/account\/password/)
  const row = await desk.db.selectFrom('staff').where('id', '=', self.id).select('first_name').executeTakeFirst()
  assert.equal(row!.first_name, self.first_name)
  assert.equal((await logIn('staff', self, self.password)).status, 200)
  assert.deepEqual([await toldOf(self), await recordedOf('staff', self)], [[], []])
})

async function halfDoneLogin(population: Population, { id }: Person) {
  const { id: challenge } = await desk.db
    .insertInto('login_challenges')
    .values({
      user_type: population,
      user_id: id,
      password: 'x',
      expires_at: new Date(desk.clock.now().getTime() + 1e5)
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return async () =>
    await desk.db.selectFrom('login_challenges').where('id', '=', challenge).select('used_at').executeTakeFirstOrThrow()
}
