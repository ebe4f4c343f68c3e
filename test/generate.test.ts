import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { cp, mkdtemp, readFile, rename, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { promisify } from 'node:util'

const root = join(import.meta.dirname, '..')

test('a migration that is new or has another name is listed, though nothing that imports the list could be loaded', async () => {
  const copy = await mkdtemp(join(tmpdir(), 'deskline-generate-'))
  after(() => rm(copy, { recursive: true, force: true }))
  for (const path of ['bin', 'src', 'migrations', 'package.json', 'package-lock.json'])
    await cp(join(root, path), join(copy, path), { recursive: true })
  await symlink(join(root, 'node_modules'), join(copy, 'node_modules'))
  const migrations = join(copy, 'migrations')
  await cp(join(migrations, '0002-search.ts'), join(migrations, '9998-new.ts'))
  await rename(join(migrations, '0013-away.ts'), join(migrations, '9999-away-again.ts'))

  await promisify(execFile)(process.execPath, ['bin/deskline.js', 'generate'], { cwd: copy })

  const former = await readFile(join(root, 'migrations/index.ts'), 'utf8')
  const written = await readFile(join(migrations, 'index.ts'), 'utf8')
  assert.deepEqual(namesIn(written), [
    ...namesIn(former).filter(name => name !== '0013-away'),
    '9998-new',
    '9999-away-again'
  ])
})

function namesIn(index: string): string[] {
  return [...index.matchAll(/^ {2}'(.+)': /gm)].map(([, name]) => name!)
}
