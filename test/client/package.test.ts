import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import manifest from '../../client/package.json' with { type: 'json' }
import { bootDesk } from '../support/desk.ts'
import { aProjectWithTheClient } from '../support/packed-client.ts'
import { anAdmin } from '../support/people.ts'
import { root } from '../support/program.ts'

const run = promisify(execFile)
const desk = await bootDesk()
const project = await aProjectWithTheClient()

test('the package holds the code and its types, whole', () => {
  const others = project.files.filter(path => !/^src\/[a-z-]+(\.d\.ts|\.js)$/.test(path))

  assert.deepEqual(others.sort(), ['LICENSE', 'README.md', 'package.json'])
  for (const name of ['index.js', 'index.d.ts', 'openapi.d.ts', 'idempotent-paths.js']) {
    assert.ok(project.files.includes(`src/${name}`), name)
  }
})

test('where the modules of the client are missing, making its types fails and leaves the former ones whole', async t => {
  const folder = await mkdtemp(join(tmpdir(), 'deskline-client-'))
  t.after(() => rm(folder, { recursive: true, force: true }))
  await cp(join(root, 'docs/openapi.json'), join(folder, 'docs/openapi.json'))
  for (const name of ['package.json', 'generate.js']) await cp(join(root, 'client', name), join(folder, 'client', name))
  const types = join(folder, 'client/src/openapi.d.ts')
  await mkdir(dirname(types))
  await writeFile(types, 'former')

  const made = await run(process.execPath, ['generate.js'], { cwd: join(folder, 'client') }).catch(error => error)

  assert.equal(made.code, 1)
  assert.match(made.stderr, /Cannot find package 'openapi-typescript'/)
  assert.deepEqual([await readdir(dirname(types)), await readFile(types, 'utf8')], [['openapi.d.ts'], 'former'])
})

test('a program on the package compiles, its wrong calls do not, and it runs', async () => {
  await writeFile(join(project.folder, 'package.json'), '{ "type": "module" }')
  await writeFile(join(project.folder, 'program.ts'), program)
  const options = ['--strict', '--noEmit', '--target', 'es2024', '--lib', 'es2024,dom,dom.iterable']
  const modules = ['--module', 'nodenext', '--types', '']

  const compiled = await run(join(root, 'node_modules/.bin/tsc'), [...options, ...modules, 'program.ts'], {
    cwd: project.folder
  }).catch(error => error as { stdout: string })
  assert.equal(compiled.stdout, '')

  const { stdout } = await run(process.execPath, ['program.ts', desk.url], { cwd: project.folder })
  assert.deepEqual(JSON.parse(stdout), ['Ada', 'email_taken', ['Open', 1]])
})

test('the README of the package runs as printed, for people and for programs with an API token', async () => {
  const readme = await readFile(join(root, 'client/README.md'), 'utf8')
  const [forPrograms, forPeople] = [...readme.matchAll(/^```js\n(.*?)^```/gms)].map(([, code]) => code!)
  const { data } = await desk.post('/api/account/tokens/create', await anAdmin(desk), { name: 'Tour' })
  const printed = async (code: string) => {
    await writeFile(join(project.folder, 'tour.js'), code.replaceAll('http://localhost:3000', desk.url))
    const env = { ...process.env, DESKLINE_TOKEN: data.token }
    return (await run(process.execPath, ['tour.js'], { cwd: project.folder, env })).stdout
  }

  assert.match(await printed(forPeople!), /\[ 'On fire' \]/)
  assert.match(await printed(forPrograms!), /'On fire'/)
  assert.deepEqual(
    [forPeople, forPrograms].map(code => code!.trim().split('\n').length),
    [10, 5]
  )
})

test('the library has the version of the service whose addresses it knows', async () => {
  const service = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as { version: string }

  assert.equal(manifest.version, service.version)
})

const program = `
import { type BodyOf, createClient, type DataOf, DesklineError } from '@deskline/client'

const desk = createClient({ baseUrl: process.argv[2]! })
const ada: BodyOf<'/api/auth/signup'> = { first_name: 'Ada', last_name: 'Lovelace', email: 'ada@example.com', password: 'correct horse' }
await desk.POST('/api/auth/signup', { body: ada })
const reason = await desk.POST('/api/auth/signup', { body: ada }).then(() => 'none', error => {
  if (error instanceof DesklineError && error.reason === 'email_taken') return error.reason
  throw error
})
const user = await desk.signIn({ email: ada.email, password: ada.password, population: 'client' })
const name: string = 'user' in user ? user.user.first_name : user.requires_2fa.toFixed()
await desk.POST('/api/tickets/create', { body: { deptid: 1, subject: 'On fire', message: 'It burns.' } })
const first: DataOf<'/api/tickets/list'> = (await desk.POST('/api/tickets/list')).data
console.log(JSON.stringify([name, reason, [first.tickets[0]?.status, first.total]]))

/** Never called: what must not compile. */
export async function wrong() {
  // @ts-expect-error There is no such address.
  await desk.POST('/api/tickets/burn')
  // @ts-expect-error The body is missing.
  await desk.POST('/api/tickets/create')
  // @ts-expect-error A required field is missing.
  await desk.POST('/api/tickets/reply', { body: { id: 1 } })
  // @ts-expect-error A field is misspelt.
  await desk.POST('/api/tickets/reply', { body: { id: 1, message: 'Hot.', mesage: 'Hot.' } })
  // @ts-expect-error A field of an optional body is misspelt.
  await desk.POST('/api/tickets/list', { body: { staus: 'Open' } })
  // @ts-expect-error No ticket has this status.
  await desk.POST('/api/tickets/list', { body: { status: 'Burning' } })
  // @ts-expect-error The id of the path is missing.
  await desk.POST('/api/tickets/{id}', {})
  // @ts-expect-error This address lists nothing.
  desk.pages('/api/tickets/create', { body: { deptid: 1, subject: '', message: '' } })
  // @ts-expect-error There are clients and staff.
  await desk.signIn({ email: '', password: '', population: 'robots' })
  // @ts-expect-error A field is misspelt beside files as well.
  await desk.upload('/api/tickets/reply', { fields: { id: 1, mesage: 'Hot.' } })
  await desk.upload('/api/admin/settings/logo', { files: new Blob([]) })
  for await (const page of desk.pages('/api/tickets/list')) {
    // @ts-expect-error Tickets have no such field.
    page.tickets[0]?.colour
  }
}
declare const process: { argv: string[] }
`
