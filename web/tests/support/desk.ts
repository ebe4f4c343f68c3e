import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { BodyOf, DataOf, PostPath } from '@deskline/client'
import { served } from '../../../test/support/program.ts'
import { inboundSettings } from './inbound-mail.ts'
import { outboxIn } from './outbox.ts'

/** Somebody with an account; `token` is for calls of the test itself. */
export interface Person {
  id: number
  population: 'client' | 'staff'
  first_name: string
  last_name: string
  email: string
  password: string
  token: string
}

const password = 'correct horse battery'
let serial = 0

/** A whole desk for tests: the real program with a data folder of its own. */
export type Desk = Awaited<ReturnType<typeof startDesk>>

export async function startDesk(settings: Record<string, string> = {}) {
  const dataDir = await mkdtemp(join(tmpdir(), 'deskline-pages-'))
  // A run of all tests has a database server that has been started before; to make one takes two seconds.
  const { TEST_CLUSTER } = process.env
  if (TEST_CLUSTER) await promisify(execFile)('cp', ['-a', TEST_CLUSTER, dataDir])
  await mkdir(dataDir, { recursive: true })
  const program = await served({
    NODE_ENV: 'test',
    DATA_DIR: dataDir,
    HOST: '127.0.0.1',
    LOG_LEVEL: 'info',
    ADMIN_EMAIL: 'admin@example.com',
    ADMIN_PASSWORD: password,
    // Pages never read codes from answers: they are in the outbox.
    DISCLOSE_CODES: 'false',
    NOTIFICATION_DELAY_SECONDS: '0',
    ...inboundSettings,
    ...settings
  })
  const { url } = program

  /** Calls the API as somebody; fails where the answer is no success. */
  async function post<P extends PostPath>(path: P, body: BodyOf<P> | FormData, person?: { token: string }) {
    const response = await fetch(url + path, {
      method: 'POST',
      headers: {
        ...(person ? { authorization: `Bearer ${person.token}` } : {}),
        ...(body instanceof FormData ? {} : { 'content-type': 'application/json' })
      },
      body: body instanceof FormData ? body : JSON.stringify(body)
    })
    const answer = (await response.json()) as { message: string; data: DataOf<P> }
    if (!response.ok) throw new Error(`${path} answered ${response.status}: ${answer.message}`)
    return answer.data
  }

  async function signedIn(
    population: Person['population'],
    given: Omit<Person, 'token' | 'population'>
  ): Promise<Person> {
    const path = population === 'client' ? '/api/auth/login' : '/api/admin/auth/login'
    const data = await post(path, { email: given.email, password: given.password })
    if (!('token' in data)) throw new Error(`${given.email} needs a second factor`)
    return { ...given, population, token: data.token }
  }

  const admin = await signedIn('staff', {
    ...{ id: 1, first_name: 'Admin', last_name: 'Admin' },
    ...{ email: 'admin@example.com', password }
  })
  const outbox = outboxIn(dataDir)
  // Tests do not wait until replies go; those about taking them back turn it on.
  await post('/api/admin/settings/update', { undo_send_seconds: 0 }, admin)

  return {
    url,
    dataDir,
    admin,
    outbox,
    post,

    /** A new client. `verified`: who has proven the e-mail address. */
    async client({ verified = false, ...given }: Partial<BodyOf<'/api/auth/signup'>> & { verified?: boolean } = {}) {
      const names = { first_name: 'Katharina', last_name: 'Brandt', email: `katharina.${++serial}@example.com` }
      const row = { ...names, password, ...given }
      const { user_id: id } = await post('/api/auth/signup', row)
      const person = await signedIn('client', { ...row, id })
      if (verified) {
        await post('/api/auth/send-email-verification', {}, person)
        await post('/api/auth/verify-email', { code: await outbox.codeFor(person.email) }, person)
      }
      return person
    },

    /** A new supporter with these permissions and no others. */
    async supporter(
      permissions: BodyOf<'/api/admin/staff/create'>['permissions'] = [],
      given: Partial<BodyOf<'/api/admin/staff/create'>> = {}
    ) {
      const names = { first_name: 'Jonas', last_name: 'Weber', email: `jonas.${++serial}@example.com` }
      const row = { ...names, password, permissions, ...given }
      const { user_id: id } = await post('/api/admin/staff/create', row, admin)
      return await signedIn('staff', { ...row, id })
    },

    /** A ticket that this client has opened; with files as multipart. */
    async ticket(
      client: Person,
      given: Partial<BodyOf<'/api/tickets/create'>> & { files?: File[] } = {}
    ): Promise<DataOf<'/api/tickets/create'>> {
      const { files = [], ...fields } = {
        deptid: 1,
        subject: 'Inverter is silent',
        message: 'It hums no more.',
        ...given
      }
      if (files.length === 0) return await post('/api/tickets/create', fields as BodyOf<'/api/tickets/create'>, client)
      const form = new FormData()
      for (const [name, value] of Object.entries(fields)) form.append(name, String(value))
      for (const file of files) form.append('attachments', file)
      return await post('/api/tickets/create', form, client)
    },

    async stop() {
      await program.stop()
      await rm(dataDir, { recursive: true, force: true })
    }
  }
}
