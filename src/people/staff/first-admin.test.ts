import assert from 'node:assert/strict'
import { beforeEach, describe, test } from 'node:test'
import { bootDesk } from '../../../test/support/desk.ts'
import {
  createAdmin,
  DefaultPasswordExposed,
  defaultAdmin,
  ensureFirstAdmin,
  replaceAdminPassword
} from './first-admin.ts'

describe('the first admin', async () => {
  const { services, db } = await bootDesk({ connections: 10 })
  const named = {
    ...services,
    config: { ...services.config, ADMIN_EMAIL: 'Boss@example.com', ADMIN_PASSWORD: 'correct horse' }
  }
  const production = { ...services, config: { ...services.config, production: true } }
  const admins = () => db.selectFrom('staff').select(['email', 'password', 'role']).orderBy('id').execute()

  beforeEach(async () => {
    await db.deleteFrom('staff').execute()
  })

  test('is the one of ADMIN_EMAIL, made once by any number of starters at once', async () => {
    await Promise.all(Array.from({ length: 10 }, () => ensureFirstAdmin(named, { isLoopback: false })))

    const [admin, ...others] = await admins()
    assert.deepEqual([admin?.email, admin?.role, others], ['Boss@example.com', 'admin', []])
    assert.ok(await services.passwords.fits('correct horse', admin?.password))
  })

  test('is the default one outside production on loopback, and none elsewhere', async () => {
    await ensureFirstAdmin(services, { isLoopback: false })
    await ensureFirstAdmin(production, { isLoopback: true })
    assert.deepEqual(await admins(), [])

    await ensureFirstAdmin(services, { isLoopback: true })
    assert.deepEqual(
      (await admins()).map(admin => admin.email),
      [defaultAdmin.email]
    )
  })

  test('is left alone once there is an admin', async () => {
    await createAdmin(services, {
      email: 'ada@example.com',
      password: 'correct horse',
      firstName: 'Ada',
      lastName: 'L'
    })

    await ensureFirstAdmin(named, { isLoopback: true })

    assert.deepEqual(
      (await admins()).map(admin => admin.email),
      ['ada@example.com']
    )
  })

  test('with its published password keeps the service from starting where others reach it, until it has a new one', async () => {
    await ensureFirstAdmin(services, { isLoopback: true })
    await assert.rejects(ensureFirstAdmin(services, { isLoopback: false }), DefaultPasswordExposed)
    await assert.rejects(ensureFirstAdmin(production, { isLoopback: true }), DefaultPasswordExposed)

    await replaceAdminPassword(services, { email: 'Admin@Example.com', password: 'correct horse' })

    await ensureFirstAdmin(services, { isLoopback: false })
    await ensureFirstAdmin(production, { isLoopback: false })
  })

  test('cannot take the address of somebody on the staff', async () => {
    const member = { email: 'boss@example.com', password: 'x', first_name: 'A', last_name: 'B' }
    await db.insertInto('staff').values(member).execute()

    await assert.rejects(ensureFirstAdmin(named, { isLoopback: true }), { status: 409 })
    const person = { email: 'BOSS@example.com', password: 'correct horse', firstName: 'C', lastName: 'D' }
    await assert.rejects(createAdmin(services, person), { status: 409 })
    await assert.rejects(replaceAdminPassword(services, person), { status: 404 })

    assert.deepEqual(await admins(), [{ email: 'boss@example.com', password: 'x', role: 'supporter' }])
  })

  test('loses its sessions with its old password', async () => {
    const person = { email: 'ada@example.com', password: 'correct horse', firstName: 'Ada', lastName: 'L' }
    const id = await createAdmin(services, person)
    await db.insertInto('sessions').values({ user_type: 'staff', user_id: id }).execute()

    await replaceAdminPassword(services, { email: person.email, password: 'battery staple' })

    const open = await db.selectFrom('sessions').select('id').where('ended_at', 'is', null).execute()
    assert.deepEqual(open, [])
  })
})
