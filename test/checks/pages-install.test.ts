import assert from 'node:assert/strict'
import { execFile, spawnSync } from 'node:child_process'
import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { after, test } from 'node:test'
import { promisify } from 'node:util'
import { root } from '../support/program.ts'

const folder = await mkdtemp(join(tmpdir(), 'deskline-pages-install-'))
after(() => rm(folder, { recursive: true, force: true }))

/** What is there of a clone when npm runs `prepare`. */
async function aClone(name: string, ...parts: string[]): Promise<string> {
  const clone = join(folder, name)
  for (const part of ['package.json', 'packaging/build-pages.js', ...parts]) {
    const filter = (path: string) => !['node_modules', 'dist', 'tests'].includes(basename(path))
    await cp(join(root, part), join(clone, part), { recursive: true, filter })
  }
  return clone
}

/** What the container image copies to build the pages: nothing else of the project may be needed. */
async function copiedForPages(): Promise<string[]> {
  const dockerfile = await readFile(join(root, 'Dockerfile'), 'utf8')
  const stage = dockerfile.split(/^FROM /m).find(part => /^\S+ AS pages$/m.test(part)) ?? ''
  return [...stage.matchAll(/^COPY (.+) \S+$/gm)].flatMap(([, sources]) => sources!.split(' '))
}

function prepare(clone: string) {
  const { status, stderr } = spawnSync(process.execPath, ['packaging/build-pages.js'], { cwd: clone, encoding: 'utf8' })
  return { status, told: stderr }
}

test('installing builds the pages from what the container image copies, each file packed in both ways', async () => {
  const clone = await aClone('whole', ...(await copiedForPages()))
  await symlink(join(root, 'node_modules'), join(clone, 'node_modules'))

  const { status, told } = prepare(clone)

  assert.deepEqual([status, told], [0, ''])
  const { stdout } = await promisify(execFile)('find', ['web/dist', '-type', 'f', '-size', '+2k'], { cwd: clone })
  const built = stdout.trim().split('\n')
  const scripts = built.filter(path => path.endsWith('.js'))
  assert.ok(scripts.length > 2)
  for (const path of scripts) assert.match(path, /^web\/dist\/assets\/[\w.-]+-[\w-]{8}\.js$/)
  const all = (await promisify(execFile)('find', ['web/dist', '-type', 'f'], { cwd: clone })).stdout.split('\n')
  for (const path of scripts) for (const ending of ['.br', '.gz']) assert.ok(all.includes(path + ending), path)
})

test('pages that cannot be built stop no installation, and it says what to do', async () => {
  const broken = await aClone('broken', 'web')
  await symlink(join(root, 'node_modules'), join(broken, 'node_modules'))
  await writeFile(join(broken, 'web/portal.html'), '<script type="module" src="/src/nothing.tsx"></script>')
  const without = await aClone('without')

  const [failed, missing] = [prepare(broken), prepare(without)]

  assert.deepEqual([failed.status, missing.status], [0, 0])
  assert.match(failed.told, /could not be built: the reason is above. "npm run build" tries again/)
  assert.match(missing.told, /There are no pages: .* Run "npm ci && npm prune --omit=dev", or bring web\/dist along/)
})

test('where the pages are there already nothing is said, whatever builds them is not needed', async () => {
  const clone = await aClone('built')
  await mkdir(join(clone, 'web/dist'), { recursive: true })
  await writeFile(join(clone, 'web/dist/portal.html'), 'The portal')

  assert.deepEqual(prepare(clone), { status: 0, told: '' })
})

test('the archive of npm pack has the pages as they were built, and none of what builds them', async () => {
  const words = ['pack', '--dry-run', '--json', '--ignore-scripts']

  const { stdout } = await promisify(execFile)('npm', words, { cwd: root, maxBuffer: 2 ** 26 })

  const [{ files }] = JSON.parse(stdout) as [{ files: { path: string }[] }]
  const paths = files.map(({ path }) => path).filter(path => path.startsWith('web/'))
  assert.ok(paths.includes('web/dist/portal.html') && paths.includes('web/dist/desk.html'))
  assert.ok(paths.some(path => /^web\/dist\/assets\/.*\.js\.br$/.test(path)))
  assert.deepEqual(
    paths.filter(path => !path.startsWith('web/dist/')),
    []
  )
})
