import type { Permission } from '../../src/core/permissions.ts'
import { openSession } from '../../src/core/sessions/sessions.ts'
import type { NewClient } from '../../src/core/tables/clients.ts'
import type { StaffRow } from '../../src/core/tables/staff.ts'
import type { Desk } from './desk.ts'
import { cheapPasswords } from './passwords.ts'

/** Somebody with an account and an open session; `password` is in plain text. */
export interface Person {
  id: number
  first_name: string
  last_name: string
  email: string
  password: string
  token: string
  refresh_token: string
}

const password = 'correct horse'
const hashed = cheapPasswords.hash(password)
const device = { ip: '127.0.0.1', userAgent: 'test' }
let serial = 0

/** A client who is logged in. A test sets only what it is about. */
export async function aClient(desk: Desk, given: Partial<NewClient> = {}): Promise<Person> {
  const row = { first_name: 'Ada', last_name: 'Lovelace', email: `ada.${++serial}@example.com`, ...given }
  const { id, password: stored } = await desk.db
    .insertInto('clients')
    .values({ password: await hashed, ...row })
    .returning(['id', 'password'])
    .executeTakeFirstOrThrow()
  const session = await openSession(desk.services, desk.db, { population: 'client', id, password: stored }, device)
  return {
    id,
    ...row,
    password,
    token: session?.tokens.token ?? '',
    refresh_token: session?.tokens.refresh_token ?? ''
  }
}

/** A supporter who holds these permissions and no others, logged in. */
export async function aSupporter(desk: Desk, ...permissions: Permission[]): Promise<Person> {
  return await aStaffMember(desk, 'supporter', permissions)
}

export async function anAdmin(desk: Desk): Promise<Person> {
  return await aStaffMember(desk, 'admin', [])
}

async function aStaffMember(desk: Desk, role: StaffRow['role'], permissions: Permission[]): Promise<Person> {
  const row = { first_name: 'Grace', last_name: 'Hopper', email: `grace.${++serial}@example.com` }
  const { id, password: stored } = await desk.db
    .insertInto('staff')
    .values({ password: await hashed, role, ...row })
    .returning(['id', 'password'])
    .executeTakeFirstOrThrow()
  if (permissions.length > 0) {
    await desk.db
      .insertInto('staff_permissions')
      .values(permissions.map(permission_slug => ({ staff_id: id, permission_slug })))
      .execute()
  }
  const session = await openSession(desk.services, desk.db, { population: 'staff', id, password: stored }, device)
  const { token, refresh_token } = session!.tokens
  return { id, ...row, password, token, refresh_token }
}
