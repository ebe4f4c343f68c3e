import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { type TestContext, test } from 'node:test'
import type { Worker } from 'node:worker_threads'
import { mailReader } from './mail-reader.ts'

const mail = 'From: Ada <ada@example.com>\nSubject: Paper\n\nIt is jammed.\n'
const unknown = { sender: undefined, recipient: undefined }
const unsigned = { author: 'ada@example.com', peer: undefined, sender: '', host: 'desk.example.com', servers: [] }

/** A reader, and the threads that it starts. */
function aReader(t: TestContext) {
  const threads: Worker[] = []
  const take = (thread: Worker) => threads.push(thread)
  const reader = mailReader()
  process.on('worker', take)
  t.after(async () => {
    process.off('worker', take)
    await reader.close()
  })
  return { reader, threads }
}

test('an error of a thread between two mails ends nothing, and a thread that has ended is replaced', async t => {
  const { reader, threads } = aReader(t)
  const uses = [
    () => reader.read(new Uint8Array(Buffer.from(mail)), unknown).then(({ subject }) => subject),
    () => reader.check(Readable.from([Buffer.from(mail)]), unsigned).then(({ signatures }) => signatures.length)
  ]

  for (const use of uses) {
    const first = await use()
    const [thread] = threads.splice(0)
    thread!.emit('error', new Error('something that came late'))
    await thread!.terminate()

    assert.equal(await use(), first)
    assert.equal(threads.splice(0).length, 1)
  }
})

test('a mail whose checks cannot begin is let go of', async t => {
  const { reader } = aReader(t)
  process.once('worker', thread => thread.emit('error', new Error('no memory for another thread')))
  const raw = Readable.from([Buffer.from(mail)])

  await assert.rejects(reader.check(raw, unsigned), /no memory for another thread/)

  assert.equal(raw.destroyed, true)
})
