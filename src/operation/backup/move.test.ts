import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { before, describe, test } from 'node:test'
import { turnTwoFactorOn } from '../../../test/support/authenticator.ts'
import {
  anEmptyDestination,
  aTemporaryFolder,
  digestOf,
  filesBelow,
  rowCountsOf,
  runQuery
} from '../../../test/support/backups.ts'
import { bootDesk } from '../../../test/support/desk.ts'
import { brand, brandOf } from '../../../test/support/logos.ts'
import { aClient, anAdmin } from '../../../test/support/people.ts'
import { ticketCountsAreRight } from '../../../test/support/ticket-counts.ts'
import { aFile, aTicket } from '../../../test/support/tickets.ts'
import { diskFileStore } from '../../platform/files/disk.ts'
import type { FileStore } from '../../platform/files/file-store.ts'
import { move } from './move.ts'

const desk = await bootDesk({ connections: 2 })
const folder = await aTemporaryFolder()

describe('moving', () => {
  let branding: Awaited<ReturnType<typeof brand>>
  before(async () => {
    branding = await brand(desk, await anAdmin(desk))
    const client = await aClient(desk)
    await turnTwoFactorOn(desk, client)
    await desk.post('/api/auth/forgot-password', undefined, { email: client.email })
    for (const name of ['one.txt', 'two.txt', 'three.txt']) await aTicket(desk, client, {}, [aFile(name, name)])
  })

  test('brings every row and goes on with the ids, while the original stays, and nobody can write to it', async () => {
    const to = await anEmptyDestination(folder, { migrated: false })
    const rows = await rowCountsOf(desk.connection)
    const deletion = 'set lock_timeout = 50; delete from clients'
    // The first that is done between reading and writing.
    const install = async () => {
      await assert.rejects(runQuery(desk.connection, deletion), /lock timeout/)
      await to.jobs.install()
    }

    const moved = await move(desk, { ...to, jobs: { ...to.jobs, install } })

    assert.deepEqual(await rowCountsOf(to.connection), rows)
    assert.deepEqual(await rowCountsOf(desk.connection), rows)
    await ticketCountsAreRight(to.database.db)
    assert.deepEqual(await brandOf(to.database.db), branding)
    assert.equal(moved.wereThere, false)
    const next = `select nextval('tickets_id_seq')::int as ticket, nextval('ticket_numbers')::int as number`
    assert.deepEqual(await runQuery(to.connection, next), [{ ticket: 4, number: 4 }])
    const jobs = await runQuery(to.connection, `select data from pgboss.job where name = 'deliver-message'`)
    assert.deepEqual(jobs, [{ data: { messageId: 1 } }])
  })

  test('that is interrupted can be run again: it goes on with the files, and rows are there once', async () => {
    const to = await anEmptyDestination(folder)
    const filesTo = breakingAfter(2, diskFileStore(to.dataDir, to.owner))
    await assert.rejects(move(desk, to, { filesTo }), /the cable was pulled/)
    const halfway = [(await filesBelow(to.dataDir)).length, (await rowCountsOf(to.connection)).clients]

    const again = await move(desk, to, { filesTo: to.files })
    const once = await move(desk, to, { filesTo: to.files })

    assert.deepEqual(halfway, [2, 0])
    assert.deepEqual([again.wereThere, again.files!.thereAlready, again.files!.count], [false, 2, 1])
    assert.deepEqual([once.wereThere, once.files!.thereAlready, once.files!.count], [true, 3, 0])
    assert.equal(once.rows, again.rows)
    assert.deepEqual(await rowCountsOf(to.connection), await rowCountsOf(desk.connection))
    for (const { file_path, sha256 } of await runQuery(to.connection, 'select * from ticket_attachments')) {
      assert.equal(await digestOf(to.files, file_path), sha256)
    }
  })

  test('into a database with other people in it is refused', async () => {
    const to = await anEmptyDestination(folder)
    const somebody = `insert into clients (first_name, last_name, email, password) values ('Ada', 'L', 'a@b.example', 'x')`
    await runQuery(to.connection, somebody)
    const rows = await rowCountsOf(to.connection)

    await assert.rejects(move(desk, to), /The database is not empty \(clients\)/)

    assert.deepEqual(await rowCountsOf(to.connection), rows)
  })
})

function breakingAfter(count: number, store: FileStore): FileStore {
  let left = count
  return {
    ...store,
    async restore(path, content) {
      if (left-- > 0) return await store.restore(path, content)
      return await store.restore(path, Readable.from(torn(content)))
    }
  }
}

async function* torn(content: Readable): AsyncGenerator<Buffer> {
  for await (const chunk of content) {
    yield chunk.subarray(0, 1)
    throw new Error('the cable was pulled')
  }
}
