import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { bootDesk, type Desk } from '../../../test/support/desk.ts'
import { aFileOwner } from '../../../test/support/file-owner.ts'
import { aClient } from '../../../test/support/people.ts'
import { startS3 } from '../../../test/support/s3-server.ts'
import { aFile, aTicket } from '../../../test/support/tickets.ts'
import { type S3Options, s3FileStore } from '../../platform/files/s3.ts'
import { lastSweep } from './watch-files.ts'

const day = 86_400_000
const server = await startS3()
after(() => server.stop())

/** A desk with a database of its own, whose files are in this bucket. */
async function aDeskOn(options: S3Options): Promise<Desk> {
  return await bootDesk({ services: { files: s3FileStore({ ...options, owner: aFileOwner() }) } })
}

async function aTicketWithFiles(desk: Desk, ...names: string[]): Promise<string[]> {
  const { attachments } = await aTicket(
    desk,
    await aClient(desk),
    {},
    names.map(name => aFile(name, name))
  )
  return attachments.map((file: { file_path: string }) => file.file_path)
}

/** Runs the nightly job; returns what it found. */
async function night(desk: Desk) {
  await desk.services.jobs.send(desk.db, 'sweep-uploads', {})
  await desk.deliver()
  return await lastSweep(desk.db)
}

test('the nightly job of a desk with an empty or a foreign database takes nothing from the bucket of another', async () => {
  const { options, held, age } = await server.bucket()
  const [right, empty, foreign] = [await aDeskOn(options), await aDeskOn(options), await aDeskOn(options)]
  const paths = await aTicketWithFiles(right, 'a.txt', 'b.txt', 'c.txt')
  const own = await aTicketWithFiles(foreign, 'd.txt')
  const before = await held()
  await age(3 * day)

  const found = [await night(empty), await night(foreign), await night(right)]

  assert.deepEqual(await held(), before)
  assert.deepEqual(
    found.map(each => [each!.held, each!.files, each!.unknown, each!.foreign]),
    [
      [undefined, 0, 0, 4],
      [undefined, 1, 0, 3],
      [undefined, 3, 0, 1]
    ]
  )
  assert.equal(before.length, paths.length + own.length)
})

test('on an older moment the nightly job sets aside what came later; cut short it is done again; with its row a file comes back', async () => {
  const { options, held, age } = await server.bucket()
  const desk = await aDeskOn(options)
  const [later] = await aTicketWithFiles(desk, 'later.txt', 'b.txt', 'c.txt')
  const before = await held()
  await age(3 * day)
  const row = await desk.db
    .deleteFrom('ticket_attachments')
    .where('file_path', '=', later!)
    .returningAll()
    .executeTakeFirstOrThrow()
  await desk.db.deleteFrom('removed_files').execute()

  // The file is copied but not yet removed: it exists twice.
  server.meets(/^DELETE /, { status: 500, code: 'InternalError' }, 3)
  await night(desk)
  const twice = (await held()).length
  const aside = await night(desk)
  const between = await held()
  const { id: _id, ...values } = row
  await desk.db.insertInto('ticket_attachments').values(values).execute()
  const served = await desk.services.files.open(later!)
  served!.stream.destroy()
  const back = await night(desk)

  assert.equal(twice, 4)
  assert.deepEqual([aside!.quarantine.files, aside!.quarantine.bytes], [1, 9])
  assert.deepEqual(between, [
    `desk/quarantine${later!.slice('/uploads'.length)}`,
    ...before.filter(key => !key.endsWith(later!))
  ])
  assert.equal(back!.quarantine.files, 0)
  assert.deepEqual(await held(), before)
})

test('a database that knows the fewer of its own objects takes nothing away', async () => {
  const { options, held, age } = await server.bucket()
  const desk = await aDeskOn(options)
  const [first] = await aTicketWithFiles(desk, 'a.txt', 'b.txt', 'c.txt')
  const before = await held()
  await age(3 * day)
  await desk.db.deleteFrom('ticket_attachments').where('file_path', '<>', first!).execute()
  await desk.db.deleteFrom('removed_files').execute()

  const found = await night(desk)

  assert.deepEqual([found!.held, found!.files, found!.unknown], ['mostly unknown', 3, 2])
  assert.deepEqual(await held(), before)
})
