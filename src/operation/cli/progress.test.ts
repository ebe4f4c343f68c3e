import assert from 'node:assert/strict'
import { PassThrough } from 'node:stream'
import { test } from 'node:test'
import { progress } from './progress.ts'

function aStream(isTTY: boolean) {
  const written: string[] = []
  const stream = Object.assign(new PassThrough(), { isTTY, columns: 80 })
  stream.on('data', chunk => written.push(String(chunk)))
  return { written, stream: stream as unknown as NodeJS.WriteStream }
}

test('what is being done is shown in time, also when nothing is told after it', t => {
  t.mock.timers.enable({ apis: ['setTimeout', 'Date'] })
  const { written, stream } = aStream(true)
  t.mock.timers.tick(1_000)
  const bar = progress(stream)

  bar.show('rows of tickets')
  bar.show('rows of ticket_words')
  bar.show('files: 1 of 3')
  t.mock.timers.tick(150)

  assert.deepEqual(written, ['\rrows of tickets\x1b[K', '\rfiles: 1 of 3\x1b[K'])
})

test('what was cleared away does not come back', t => {
  t.mock.timers.enable({ apis: ['setTimeout', 'Date'] })
  const { written, stream } = aStream(false)
  const bar = progress(stream)

  bar.show('files: 1 of 3')
  bar.clear()
  t.mock.timers.tick(60_000)

  assert.deepEqual(written, [])
})
