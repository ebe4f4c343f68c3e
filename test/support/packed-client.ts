import { execFile } from 'node:child_process'
import { cp, mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after } from 'node:test'
import { promisify } from 'node:util'
import { root } from './program.ts'

const run = promisify(execFile)

/** A project in which the client library is installed as npm would from the registry, with what it depends on. */
export async function aProjectWithTheClient() {
  const folder = await mkdtemp(join(tmpdir(), 'deskline-client-'))
  after(() => rm(folder, { recursive: true, force: true }))
  const packing = ['pack', '--json', '--foreground-scripts=false', '--pack-destination', folder]
  const { stdout } = await run('npm', packing, { cwd: join(root, 'client') })
  const [{ filename, files }] = JSON.parse(stdout) as [{ filename: string; files: { path: string }[] }]

  const installed = join(folder, 'node_modules/@deskline/client')
  await mkdir(installed, { recursive: true })
  await run('tar', ['-xzf', join(folder, filename), '--strip-components=1', '-C', installed])
  for (const name of ['openapi-fetch', 'openapi-typescript-helpers']) {
    await cp(join(root, 'node_modules', name), join(folder, 'node_modules', name), { recursive: true })
  }
  return { folder, files: files.map(({ path }) => path) }
}
