import assert from 'node:assert/strict'
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, beforeEach, describe, test } from 'node:test'
import { KeyFileFault, keyFilePermissions, keyFileSecret, readKeyFile, replaceKeyFile } from './key-file.ts'

describe('the key file', () => {
  let folder: string
  let path: string
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'deskline-key-'))
  })
  beforeEach(async () => {
    path = join(await mkdtemp(join(folder, 'data-')), 'app.key')
  })
  after(() => rm(folder, { recursive: true, force: true }))

  test('is made once by any number of makers at once, for its owner alone, with nothing left beside it', async () => {
    const secrets = await Promise.all(Array.from({ length: 20 }, () => keyFileSecret(path)))

    assert.equal(new Set(secrets).size, 1)
    assert.ok(secrets[0]!.length >= 43)
    assert.equal((await stat(path)).mode & 0o777, 0o600)
    assert.deepEqual(await readdir(join(path, '..')), ['app.key'])
    assert.equal(await keyFilePermissions(path), undefined)
  })

  test('is refused when it is empty, short or not text, and stays as it is', async () => {
    for (const content of ['', 'short\n', `${'x'.repeat(40)}\n${'y'.repeat(40)}\n`, '\0'.repeat(64)]) {
      await writeFile(path, content)

      await assert.rejects(keyFileSecret(path), KeyFileFault)
      assert.equal(await readFile(path, 'utf8'), content)
    }
  })

  test('that cannot be replaced leaves no copy of the secret beside it', async () => {
    await mkdir(path)

    await assert.rejects(replaceKeyFile(path, 'x'.repeat(40)), KeyFileFault)

    assert.deepEqual(await readdir(join(path, '..')), ['app.key'])
  })

  test('cannot be made where there is no folder', async () => {
    await assert.rejects(keyFileSecret(join(path, 'app.key')), KeyFileFault)
  })

  test('can be put in the place of another, complete and for its owner alone', async () => {
    const [one, other] = ['one', 'other'].map(name => name.padEnd(40, '.')) as [string, string]
    const none = await readKeyFile(path)

    await replaceKeyFile(path, one)
    await replaceKeyFile(path, other)

    assert.equal(none, undefined)
    assert.equal(await keyFileSecret(path), other)
    assert.equal((await stat(path)).mode & 0o777, 0o600)
    assert.deepEqual(await readdir(join(path, '..')), ['app.key'])
    await assert.rejects(replaceKeyFile(join(path, 'app.key'), one), KeyFileFault)
  })

  test('that others may read is told of', async () => {
    await keyFileSecret(path)
    await chmod(path, 0o640)

    assert.equal(await keyFilePermissions(path), '0640')
  })
})
