import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { before, describe, test } from 'node:test'
import { createGzip, gunzipSync, gzipSync } from 'node:zlib'
import { aTemporaryFolder } from '../../../test/support/backups.ts'
import { bootDesk } from '../../../test/support/desk.ts'
import { aClient } from '../../../test/support/people.ts'
import { run } from '../../../test/support/program.ts'
import { aFile, aTicket } from '../../../test/support/tickets.ts'
import { makeKeys } from '../../core/keys.ts'
import { backUpToFile } from './archive-file.ts'
import { checkArchive } from './check-archive.ts'
import { entriesOf } from './read-archive.ts'

const folder = await aTemporaryFolder()
const path = join(folder, 'archive.tar.gz')
const secret = 'the secret of the key file, of thirty-two characters'

describe('an archive', () => {
  let tar: Buffer
  before(async () => {
    const desk = await bootDesk({ connections: 2, services: { keys: makeKeys([secret]) } })
    await aTicket(desk, await aClient(desk), {}, [aFile('a.txt')])
    const whole = join(folder, 'whole.tar.gz')
    await backUpToFile(desk, whole, { key: secret })
    tar = gunzipSync(await readFile(whole))
    assert.equal((await checkArchive(whole)).key, secret)
  })

  test('with another key file than its secrets were encrypted with is refused by the check and before anything is written', async () => {
    const at = tar.indexOf(secret)
    const changed = Buffer.from(tar)
    changed[at]! ^= 1
    await writeFile(path, gzipSync(changed))
    const dataDir = join(folder, 'restored')

    const [checked, restored] = [
      await run(['restore', '--check', path]),
      await run(['restore', path], { DATA_DIR: dataDir })
    ]
    const doctor = await run(['doctor'], { DATA_DIR: dataDir })

    for (const { code, output } of [checked, restored]) {
      assert.equal(code, 1)
      assert.match(output, /^The app\.key in \S+ is not what the secrets in it were encrypted with: .*\.\n$/)
    }
    assert.match(doctor.output, /is made at the first start/)
  })

  test('with what no backup holds, or with something after its end, is refused', async () => {
    const end = tar.lastIndexOf('digests.json\0')
    const insert = (name: string, at: number) => Buffer.concat([tar.subarray(0, at), entry(name), tar.subarray(at)])
    for (const name of ['uploads/tickets/../../../etc/passwd', 'rows/pg_authid/000001.copy', 'bin/sh', 'uploads/x']) {
      await writeFile(path, gzipSync(insert(name, end)))

      await assert.rejects(checkArchive(path), /is damaged: it holds what no backup does/, name)
    }
    const after = tar.length - 1024
    await writeFile(
      path,
      gzipSync(
        Buffer.concat([tar.subarray(0, trimmed(tar, after)), entry('rows/clients/000009.copy'), Buffer.alloc(1024)])
      )
    )

    await assert.rejects(checkArchive(path), /something follows its end/)
  })

  test('that says nothing sensible of itself is refused in one sentence', async () => {
    for (const manifest of ['{"product":"deskline","format":1}', '[]', 'null', '{']) {
      await writeFile(path, gzipSync(Buffer.concat([entry('manifest.json', manifest), Buffer.alloc(1024)])))

      await assert.rejects(
        checkArchive(path),
        { name: 'Error', message: /^\S+ is (damaged|not a backup of Deskline)\b.*\.$/ },
        manifest
      )
    }
  })
})

test('a bomb is refused in little memory, whether it is a manifest, a header or a key', async () => {
  const hundred = 100 * 1024 * 1024
  const bombs: [string, (out: NodeJS.WritableStream) => Promise<void>][] = [
    ['manifest', out => zeros(out, header('manifest.json', '0', 20 * hundred), 20 * hundred)],
    ['long header', out => zeros(out, header('x', 'x', 20 * hundred), 20 * hundred)]
  ]
  for (const [name, write] of bombs) {
    const gzip = createGzip({ level: 1 })
    const file = gzip.pipe(createWriteStream(path))
    await write(gzip)
    gzip.end()
    await once(file, 'close')
    const before = process.memoryUsage().rss

    await assert.rejects(checkArchive(path), { name: 'Error', message: /is no backup of Deskline/ }, name)

    assert.ok(process.memoryUsage().rss - before < 3 * hundred, `${name}: ${process.memoryUsage().rss - before} bytes`)
  }
})

test('what unpacks to far more than its size, or to more entries than there can be, is refused where it is read', async () => {
  const many = Buffer.concat(Array.from({ length: 200 }, (_, at) => entry(`rows/clients/${at}.copy`)))
  await writeFile(path, gzipSync(Buffer.concat([many, Buffer.alloc(1024)])))
  const read = async (bounds: Parameters<typeof entriesOf>[1]) => {
    let count = 0
    for await (const { content } of entriesOf(path, bounds)) {
      for await (const _chunk of content);
      count++
    }
    return count
  }

  assert.equal(await read({ freeBytes: 1_000_000, ratio: 2, entries: 300 }), 200)
  await assert.rejects(read({ freeBytes: 1_000, ratio: 2, entries: 300 }), /It unpacks to more than 2 times its size\./)
  await assert.rejects(read({ freeBytes: 1_000_000, ratio: 2, entries: 100 }), /It has more than 100 entries\./)
})

function entry(name: string, content = 'content'): Buffer {
  const rest = Buffer.alloc(Math.ceil(content.length / 512) * 512)
  rest.write(content)
  return Buffer.concat([header(name, '0', content.length), rest])
}

/** The end of the last entry: where its blocks of zeros begin. */
function trimmed(tar: Buffer, from: number): number {
  let at = from
  while (tar.subarray(at - 512, at).every(byte => byte === 0)) at -= 512
  return at
}

function header(name: string, kind: string, size: number): Buffer {
  const block = Buffer.alloc(512)
  block.write(name, 0)
  for (const at of [100, 108, 116]) block.write('0000000\0', at)
  block.write(`${size.toString(8).padStart(11, '0')}\0`, 124)
  block.write('00000000000\0', 136)
  block.fill(' ', 148, 156)
  block.write(kind, 156)
  block.write('ustar\x0000', 257)
  const sum = block.reduce((total, byte) => total + byte, 0)
  block.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148)
  return block
}

async function zeros(out: NodeJS.WritableStream, first: Buffer, bytes: number): Promise<void> {
  out.write(first)
  const chunk = Buffer.alloc(1024 * 1024)
  for (let written = 0; written < bytes; written += chunk.length) {
    if (!out.write(chunk)) await once(out, 'drain')
  }
}
