import assert from 'node:assert/strict'
import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { makeLog } from '../log.ts'
import { textFolder } from './outbox-folder.ts'

const message = {
  reference: 'message-8.xyz',
  to: '+49 123 4567',
  text: 'The code is 123456.',
  date: new Date('2026-11-20T08:28:31Z')
}

describe('the outbox folder for texts', () => {
  let folder: string
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'deskline-texts-'))
  })
  after(() => rm(folder, { recursive: true }))

  test('a text is a readable .txt file, one however often it is sent', async () => {
    const outbox = join(folder, 'readable')
    const texts = textFolder(outbox, makeLog('silent'))

    await texts.send(message)
    const answer = await texts.send(message)

    const path = join(outbox, '2026-11-20-082831-message-8.xyz.txt')
    assert.deepEqual(await readdir(outbox), ['2026-11-20-082831-message-8.xyz.txt'])
    assert.equal(
      await readFile(path, 'utf8'),
      'To: +49 123 4567\nDate: 2026-11-20T08:28:31.000Z\n\nThe code is 123456.\n'
    )
    assert.equal((await stat(path)).mode & 0o777, 0o600)
    assert.equal(answer, `Written to ${path}`)
  })

  test('a number cannot pretend to be a line of its own', async () => {
    const outbox = join(folder, 'pretending')

    await textFolder(outbox, makeLog('silent')).send({ ...message, to: '1\r\nDate: never\u2028\n\nPay us' })

    const [name] = await readdir(outbox)
    const lines = (await readFile(join(outbox, name!), 'utf8')).split('\n')
    assert.deepEqual(lines.slice(0, 2), ['To: 1 Date: never Pay us', 'Date: 2026-11-20T08:28:31.000Z'])
  })
})
