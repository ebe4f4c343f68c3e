import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { sql } from 'kysely'
import { databaseUrl, testDatabase } from '../support/database.ts'
import { served } from '../support/program.ts'
import { post, signUp } from '../support/requests-by-url.ts'
import { listen, type StreamEvent, type StreamListener } from '../support/streams.ts'

type Service = Awaited<ReturnType<typeof served>>

const credentials = { email: 'admin@example.com', password: 'correct horse battery' }

describe('streams of several processes on one database', { concurrency: 1 }, () => {
  let folder: string
  let services: Service[]
  let env: NodeJS.ProcessEnv
  let admin: string
  let client: string

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'deskline-streams-'))
    const { db, connection } = await testDatabase({ connections: 1 })
    for (const name of ['public', 'pgboss']) await sql`drop schema ${sql.ref(name)} cascade`.execute(db)
    await sql`create schema public`.execute(db)
    env = {
      DATA_DIR: join(folder, 'data'),
      DATABASE_URL: databaseUrl(connection),
      ADMIN_EMAIL: credentials.email,
      ADMIN_PASSWORD: credentials.password
    }
    services = await Promise.all([served(env, '--no-worker'), served(env, '--no-worker')])
    admin = (await data('/api/admin/auth/login', credentials)).token
    client = (await signUp(services[0]!.url, 'ada@example.com')).token
  })
  after(async () => {
    await Promise.all(services.map(service => service.stop('SIGKILL')))
    await rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 })
  })

  // biome-ignore lint/suspicious/noExplicitAny: answers of every shape.
  async function data(path: string, body: object, token?: string, at = 0): Promise<any> {
    const answer = await post(services[at]!.url, path, body, token)
    // biome-ignore lint/suspicious/noExplicitAny: the same.
    const { data, message } = (await answer.json()) as any
    assert.ok(answer.ok, `${path}: ${message}`)
    return data
  }
  const open = async (at = 0) =>
    (await data('/api/tickets/create', { department_id: 1, subject: 'Fire', message: 'Please.' }, client, at))
      .ticket_id as number
  const ofTicket = (id: number) => (told: StreamEvent) => told.data.ticket_id === id && told.event !== 'presence'

  test('what is written at one is told at both, to staff and to the client', async () => {
    const streams = [
      await listen(services[0]!.url, { token: admin }),
      await listen(services[1]!.url, { token: admin }),
      await listen(services[1]!.url, { token: client, path: '/api/events/stream' })
    ]

    const id = await open(0)

    for (const stream of streams) {
      await stream.first(ofTicket(id))
      stream.close()
    }
  })

  test('presence that is said at one is told at the other, and is over when the last stream of its person breaks, wherever', async () => {
    const id = await open()
    const other = await data(
      '/api/admin/staff/create',
      { first_name: 'Mary', last_name: 'Shelley', email: 'mary@example.com', password: 'frankenstein' },
      admin
    )
    await data('/api/admin/staff/permissions', { id: other.user_id, permissions: ['tickets.view_all'] }, admin)
    const mary = (await data('/api/admin/auth/login', { email: 'mary@example.com', password: 'frankenstein' })).token
    const [here, there] = [
      await listen(services[0]!.url, { token: mary }),
      await listen(services[1]!.url, { token: mary })
    ]
    const reader = await listen(services[1]!.url, { token: admin })
    const tells = (count: number) => (told: StreamEvent) =>
      told.event === 'presence' && told.data.ticket_id === id && told.data.staff.length === count

    await data('/api/admin/tickets/presence', { id, state: 'replying' }, mary, 0)
    const said = await reader.first(tells(1))
    assert.deepEqual([said.data.staff[0].name, said.data.staff[0].state], ['Mary Shelley', 'replying'])
    const late = await listen(services[0]!.url, { token: admin })
    await late.first(tells(1))

    there.close()
    await there.ended
    here.close()
    await reader.first(tells(0))
    assert.equal(reader.told.filter(({ event }) => event === 'presence').length, 2)
    for (const each of [reader, late]) each.close()
  })

  test('an account has twenty streams in all of them together', async () => {
    const streams = await Promise.all(
      Array.from({ length: 24 }, (_, at) => listen(services[at % 2]!.url, { token: admin }))
    )

    assert.equal(streams.filter(({ status }) => status === 200).length, 20)
    assert.equal(streams.filter(({ status }) => status === 429).length, 4)
    for (const stream of streams) stream.close()
    await Promise.all(streams.map(({ ended }) => ended))
  })

  test('a reader who is cut off at random loses nothing and hears nothing twice, while many write and a process is killed', async () => {
    const begun = (await data('/api/admin/events/list', { limit: 1000 }, admin)).next_cursor as string
    const third = await served(env, '--no-worker')
    const living = () => services.filter(({ child }) => child.exitCode === null && child.signalCode === null)
    services.push(third)
    const heard: string[] = []
    let isWriting = true
    let last = begun

    const read = async (cuts: boolean) => {
      for (let round = 0; ; round++) {
        const { url } = living()[round % living().length]!
        const stream = await listen(url, {
          token: admin,
          lastEventId: last,
          body: { kinds: ['ticket.created', 'ticket.status_changed'] }
        }).catch(() => undefined)
        if (stream?.status !== 200) continue
        const wanted = 1 + Math.floor(Math.random() * 8)
        await Promise.race([
          stream.first(() => cuts && stream.told.length >= wanted).catch(() => {}),
          stream.ended,
          written
        ])
        stream.close()
        await stream.ended
        heard.push(...stream.told.map(({ id }) => id!))
        last = heard.at(-1) ?? begun
        if (!isWriting) return
      }
    }
    const write = async (at: number) => {
      for (let round = 0; round < 12; round++) {
        const url = () => living()[(at + round) % living().length]!.url
        const created = await post(
          url(),
          '/api/tickets/create',
          { department_id: 1, subject: `W${at}`, message: 'x' },
          client
        ).catch(() => undefined)
        if (!created?.ok) continue
        const { ticket_id: id } = ((await created.json()) as { data: { ticket_id: number } }).data
        await post(url(), '/api/tickets/status', { id, status: 'Closed' }, client).catch(() => undefined)
        if (at === 0 && round === 5) await third.stop('SIGKILL')
      }
    }
    const written = Promise.all(Array.from({ length: 5 }, (_, at) => write(at))).then(() => {
      isWriting = false
    })
    await Promise.all([written, read(true)])

    const feed: string[] = []
    for (let after = begun; ; ) {
      const page = await data('/api/admin/events/list', { after, limit: 1000 }, admin)
      feed.push(...page.events.map(({ id }: { id: number }) => String(id)))
      if (page.next_cursor === after) break
      after = page.next_cursor
    }
    const rest: StreamListener = await listen(services[0]!.url, { token: admin, lastEventId: last })
    if (feed.at(-1) !== last) await rest.first(({ id }) => id === feed.at(-1))
    heard.push(...rest.told.flatMap(({ id }) => id ?? []))
    rest.close()
    assert.ok(heard.length > 60, `${heard.length} were heard`)
    assert.deepEqual(heard, feed)
  })

  test('a process that is told to stop ends its streams in order and in time', async () => {
    const streams = await Promise.all([
      listen(services[1]!.url, { token: admin }),
      listen(services[1]!.url, { token: client, path: '/api/events/stream' })
    ])

    const code = await services[1]!.stop('SIGTERM')

    assert.equal(code, 0)
    assert.deepEqual(await Promise.all(streams.map(({ ended }) => ended)), ['ended', 'ended'])
  })
})
