import assert from 'node:assert/strict'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { before, describe, test } from 'node:test'
import { sql } from 'kysely'
import { migrations } from '../../../migrations/index.ts'
import {
  anEmptyDestination,
  aTemporaryFolder,
  filesBelow,
  rowCountsOf,
  runQuery
} from '../../../test/support/backups.ts'
import { bootDesk } from '../../../test/support/desk.ts'
import { aClient, anAdmin } from '../../../test/support/people.ts'
import { ticketCountsAreRight } from '../../../test/support/ticket-counts.ts'
import { aFile, aTicket } from '../../../test/support/tickets.ts'
import { migrateTo } from '../../platform/db/migrate.ts'
import { openOneConnection } from '../../platform/db/one-connection.ts'
import { executedMigrations } from '../../platform/db/schema-state.ts'
import { backUpToFile } from './archive-file.ts'
import { type CheckedArchive, checkArchive } from './check-archive.ts'
import { restore } from './restore.ts'

const desk = await bootDesk({ connections: 4 })
const folder = await aTemporaryFolder()
const firstAdmin = `insert into staff (first_name, last_name, email, password, role)
  values ('First', 'Admin', 'first@example.com', 'x', 'admin')`

describe('restoring', () => {
  let archive: CheckedArchive
  let untouched: Awaited<ReturnType<typeof anEmptyDestination>>
  before(async () => {
    untouched = await anEmptyDestination(folder)
    await anAdmin(desk)
    await aTicket(desk, await aClient(desk), { message: 'Tabs\t, \\. and\nlines' }, [
      aFile('a.txt'),
      aFile('b.txt', 'b')
    ])
    // More than a piece of rows, each of which refers to one of another piece; and a file that waits for the scanner.
    await sql`
      insert into tickets (client_id, department_id, subject)
      select client_id, 1, repeat('x', 250) from tickets, generate_series(1, 5000)`.execute(desk.db)
    await sql`update tickets set merged_into_id = (select max(id) from tickets) - id + 1 where id < 1000`.execute(
      desk.db
    )
    await sql`update ticket_attachments set scan_state = 'pending' where file_name = 'a.txt'`.execute(desk.db)
    const path = join(folder, 'desk.tar.gz')
    await backUpToFile(desk, path)
    archive = await checkArchive(path)
  })

  test('into an installation with somebody in it is refused in one sentence, and nothing is touched', async () => {
    const other = await bootDesk({ connections: 2 })
    await aTicket(other, await aClient(other), {}, [aFile('mine.txt')])
    const { connection, services, dataDir } = other
    const [rows, files] = [await rowCountsOf(connection), await filesBelow(dataDir)]

    await assert.rejects(restore({ ...untouched, connection, files: services.files }, archive), {
      message: /^The database is not empty \(clients, .*tickets\): nothing was changed\. .*\.$/
    })

    assert.deepEqual(await rowCountsOf(connection), rows)
    assert.deepEqual(await filesBelow(dataDir), files)
  })

  test('takes the place of the first admin, who is made when an installation starts', async () => {
    const place = await anEmptyDestination(folder)
    await runQuery(place.connection, firstAdmin)

    await restore(place, archive)

    assert.deepEqual(await rowCountsOf(place.connection), await rowCountsOf(desk.connection))
    assert.deepEqual(await runQuery(place.connection, `select 1 from staff where email = 'first@example.com'`), [])
    const waiting = `select from pgboss.job where name = 'scan-attachment' and data = '{"attachmentId": 1}'`
    assert.equal((await runQuery(place.connection, waiting)).length, 1)
  })

  test('makes the schema where there is none, and rows count as they did', async () => {
    const place = await anEmptyDestination(folder, { migrated: false })

    await restore(place, archive)
    const { db } = place.database
    await ticketCountsAreRight(db)
    await aClient({ ...desk, db, services: { ...desk.services, db } })
    await sql`update tickets set status = 'Answered' where id % 7 = 0`.execute(db)

    const [counted] = await runQuery(
      place.connection,
      'select (select sum(clients) from client_counts)::int as counted, (select count(*) from clients)::int as there'
    )
    assert.equal(counted.counted, counted.there)
    await ticketCountsAreRight(db)
  })

  test('is refused in a database with tables of others, and where another Deskline is at work', async () => {
    const [foreign, busy] = await Promise.all([
      anEmptyDestination(folder, { migrated: false }),
      anEmptyDestination(folder)
    ])
    await runQuery(foreign.connection, 'create table orders (id int)')
    await busy.database.pool.query('select 1')

    await assert.rejects(restore(foreign, archive), /has tables that are not Deskline's \(orders\)/)
    await assert.rejects(restore(busy, archive), { message: 'A Deskline is at work on The database: stop it first.' })
    assert.deepEqual(await rowCountsOf(foreign.connection), { orders: 0 })
  })

  test('waits for a connection that is just ending', async () => {
    const place = await anEmptyDestination(folder)
    const other = await openOneConnection(place.connection)

    const restoring = restore(place, archive)
    await other.close()

    await restoring
    assert.deepEqual(await rowCountsOf(place.connection), await rowCountsOf(desk.connection))
  })

  test('that fails on the way leaves neither rows nor files', async () => {
    const rows = await rowCountsOf(untouched.connection)
    const beforeCommit = () => Promise.reject(new Error('the key file cannot be made'))

    await assert.rejects(restore(untouched, archive, { beforeCommit }), /the key file cannot be made/)

    assert.deepEqual(await rowCountsOf(untouched.connection), rows)
    assert.deepEqual(await filesBelow(untouched.dataDir), [])
  })

  test('that fails at a file which was there before leaves that one alone', async t => {
    const { file_path: path } = await desk.db
      .selectFrom('ticket_attachments')
      .select('file_path')
      .orderBy('id')
      .executeTakeFirstOrThrow()
    await untouched.files.claim()
    await untouched.files.restore(path, Readable.from(['as before']))
    t.after(() => untouched.files.discard([{ path }]))
    const files = { ...untouched.files, restore: () => Promise.reject(new Error('the disk is full')) }

    await assert.rejects(restore({ ...untouched, files }, archive), /the disk is full/)

    const opened = await untouched.files.open(path)
    assert.equal(opened && (await text(opened.stream)), 'as before')
  })

  test('of rows that are not what was written is refused, and leaves nothing', async () => {
    const { tables, files } = archive.digests
    const digests = { files, tables: { ...tables, tickets: { rows: 1, sha256: 'another' } } }

    await assert.rejects(restore(untouched, { ...archive, digests }), /The rows of tickets are not what they were/)

    assert.equal((await rowCountsOf(untouched.connection)).clients, 0)
    assert.deepEqual(await filesBelow(untouched.dataDir), [])
  })

  test('of a newer schema is refused in one sentence', async () => {
    const manifest = { ...archive.manifest, migrations: [...archive.manifest.migrations, '9999-tomorrow'] }

    await assert.rejects(restore(untouched, { ...archive, manifest }), /another version of Deskline \(9999-tomorrow\)/)
  })

  test('brings the rows of an older schema to the newest', async () => {
    const older = await anEmptyDestination(folder, { migrated: false })
    const names = Object.keys(migrations)
    await migrateTo(older.database.db, migrations, names.at(-2)!)
    await runQuery(older.connection, firstAdmin)
    const path = join(folder, 'older.tar.gz')
    await backUpToFile({ ...desk, connection: older.connection }, path)
    const place = await anEmptyDestination(folder)

    await restore(place, await checkArchive(path))

    assert.deepEqual(await executedMigrations(place.database.db), names)
    assert.equal((await rowCountsOf(place.connection)).staff, 1)
  })
})
