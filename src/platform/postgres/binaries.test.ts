import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { cp, mkdir, readdir, symlink } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { findBinaries, makeLinks, packageFor } from './binaries.ts'
import { aFolder } from './embedded-testing.ts'

test('Links between the libraries that are missing are made', async t => {
  const folder = await aFolder(t)
  const { root } = await findBinaries(folder)
  await mkdir(join(folder, 'native/bin'), { recursive: true })
  await mkdir(join(folder, 'native/lib'))
  for (const file of ['native/pg-symlinks.json', 'native/bin/postgres']) await cp(join(root, file), join(folder, file))
  for (const entry of await readdir(join(root, 'native/lib'), { withFileTypes: true })) {
    if (entry.isFile()) await symlink(join(entry.parentPath, entry.name), join(folder, 'native/lib', entry.name))
  }
  const program = join(folder, 'native/bin/postgres')
  const environment = { PATH: dirname(process.execPath) }
  await assert.rejects(promisify(execFile)(program, ['--version'], { env: environment }))

  await makeLinks(folder)
  await makeLinks(folder)

  assert.match((await promisify(execFile)(program, ['--version'], { env: environment })).stdout, /PostgreSQL/)
})

test('A system without a package of the server is refused in a sentence that names DATABASE_URL', () => {
  assert.match(packageFor('linux', 'x64'), /linux-x64/)
  assert.throws(() => packageFor('win32', 'x64'), { name: 'EmbeddedError', message: /DATABASE_URL/ })
})
