import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { test } from 'node:test'
import { bootDesk } from '../../test/support/desk.ts'
import { aClient } from '../../test/support/people.ts'
import { aFile, aTicket, storedFiles } from '../../test/support/tickets.ts'
import { sweepUploads } from './sweep-uploads.ts'

const desk = await bootDesk()
const day = 86_400_000

/** What a request leaves that is cut short before its commit: one file kept, one only staged. */
async function anInterruptedUpload() {
  const { files } = desk.services
  const stage = () =>
    files.stage(Readable.from(['lost']), { fileName: 'lost.txt', fileType: 'text/plain' }, { maxBytes: 10 })
  await files.keep([await stage()])
  await stage()
}

test('the sweep removes files that no ticket names and keeps those that one does', async () => {
  const ada = await aClient(desk)
  await aTicket(desk, ada, {}, [aFile('a.txt'), aFile('b.txt')])
  const known = await storedFiles(desk)
  await anInterruptedUpload()

  const removed = await sweepUploads(desk.services, 0)

  assert.equal(removed, 2)
  assert.deepEqual(await storedFiles(desk), known)
})

test('the sweep leaves younger files to the requests that are still at work', async t => {
  await anInterruptedUpload()
  t.after(() => sweepUploads(desk.services, 0))
  const before = await storedFiles(desk)

  const removed = await sweepUploads(desk.services, day)

  assert.equal(removed, 0)
  assert.deepEqual(await storedFiles(desk), before)
})
