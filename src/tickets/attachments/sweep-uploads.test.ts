import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { test } from 'node:test'
import { bootDesk } from '../../../test/support/desk.ts'
import { aClient } from '../../../test/support/people.ts'
import { aFile, aTicket, storedFiles } from '../../../test/support/tickets.ts'
import { sweepUploads } from './sweep-uploads.ts'

const desk = await bootDesk()
const day = 86_400_000

/** What a request that is interrupted before its commit leaves behind: one file kept, one only staged. */
async function anInterruptedUpload() {
  const { files } = desk.services
  const stage = () =>
    files.stage(Readable.from(['lost']), { fileName: 'lost.txt', fileType: 'text/plain' }, { maxBytes: 10 })
  await files.keep([await stage()])
  await stage()
}

test('the sweep sets aside the files that no ticket names and keeps those that one does', async () => {
  const ada = await aClient(desk)
  await aTicket(desk, ada, {}, [aFile('a.txt'), aFile('b.txt')])
  const known = await storedFiles(desk)
  await anInterruptedUpload()

  const sweep = await sweepUploads(desk.services, { olderThanMilliseconds: 0 })

  assert.deepEqual([sweep.quarantined, sweep.unfinished], [1, 1])
  assert.deepEqual(await inUse(), known)
})

test('the sweep leaves younger files to the requests that are still at work', async t => {
  await anInterruptedUpload()
  t.after(() => sweepUploads(desk.services, { olderThanMilliseconds: 0 }))
  const before = await storedFiles(desk)

  const sweep = await sweepUploads(desk.services, { olderThanMilliseconds: day })

  assert.deepEqual([sweep.quarantined, sweep.unfinished], [0, 0])
  assert.deepEqual(await storedFiles(desk), before)
})

test('a file whose row was deleted on purpose is removed for good, also when the store was away at that moment', async () => {
  const { attachments } = await aTicket(desk, await aClient(desk), {}, [aFile('secret.txt')])
  const path = attachments[0].file_path
  await desk.db.deleteFrom('ticket_attachments').where('file_path', '=', path).execute()

  await sweepUploads(desk.services, { olderThanMilliseconds: day })

  assert.equal(await desk.services.files.open(path), undefined)
  assert.deepEqual(await desk.db.selectFrom('removed_files').selectAll().execute(), [])
})

async function inUse(): Promise<string[]> {
  return (await storedFiles(desk)).filter(place => !place.includes('.quarantine'))
}
