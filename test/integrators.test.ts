import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { cp, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { apiDocument } from '../src/operation/pages/api-document.ts'
import { bootDesk } from './support/desk.ts'
import { aClient } from './support/people.ts'
import { root } from './support/program.ts'

interface Tools {
  openapiTypes(document: string): Promise<string>
  heyApiClient(input: string, folder: string): Promise<void>
  postmanRequests(document: string): Promise<string[]>
  brunoRequests(document: string): Promise<string[]>
}

interface Program {
  play(baseUrl: string, token: string, email: string): Promise<string[]>
}

const run = promisify(execFile)
const here = join(root, 'integrators')
const installed = join(here, 'node_modules')
const document = JSON.stringify({ ...apiDocument(), servers: [{ url: 'https://desk.example.com' }] })
const addresses = Object.entries((JSON.parse(document) as { paths: object }).paths)
  .flatMap(([path, methods]) => Object.keys(methods).map(method => `${method.toUpperCase()} ${path}`))
  .map(named)

// Each is skipped by itself: of a suite that is skipped the summary would tell nothing.
const options = { skip: !existsSync(installed) && 'bin/check integrators installs the tools' }

describe('what the tools of integrators make of the description', () => {
  let folder = ''
  let tools: Tools
  before(async () => {
    if (options.skip) return
    tools = await load<Tools>(join(here, 'tools.js'))
    folder = await mkdtemp(join(tmpdir(), 'deskline-integrators-'))
    await cp(join(here, 'programs'), folder, { recursive: true })
    await symlink(installed, join(folder, 'node_modules'))
    await writeFile(join(folder, 'package.json'), '{ "type": "module" }')
    await writeFile(join(folder, 'openapi.json'), document)
  })
  after(() => folder && rm(folder, { recursive: true, force: true }))

  test('programs on generated types compile, their wrong calls do not, and they run', options, async () => {
    const generated = join(folder, 'generated')
    await mkdir(generated)
    await writeFile(join(generated, 'openapi-typescript.ts'), await tools.openapiTypes(document))
    await tools.heyApiClient(join(folder, 'openapi.json'), join(generated, 'hey-api'))

    // A wrong call that compiled would be an error as well: each is marked as expected not to.
    const faults = await faultsOf(join(root, 'node_modules/.bin/tsc'), ['-p', folder])
    assert.equal(faults, '')

    const desk = await bootDesk()
    for (const name of ['with-openapi-typescript.ts', 'with-hey-api.ts']) {
      const { play } = await load<Program>(join(folder, name))
      const ada = await aClient(desk, { first_name: 'Ada' })
      const { token } = (await desk.post('/api/account/tokens/create', ada, { name: 'Program' })).data
      const told = await play(desk.url, token, ada.email)
      assert.deepEqual(told, ['nobody', 'Ada', 'sign_in_required', 'On fire (Open, true)'], name)
    }
  })

  test(
    'it converts to a Postman collection and to a Bruno collection, with a request for every operation',
    options,
    async () => {
      assert.deepEqual((await tools.postmanRequests(document)).map(named).sort(), addresses.toSorted())
      assert.deepEqual((await tools.brunoRequests(document)).map(named).sort(), addresses.toSorted())
    }
  )

  test('spectral finds nothing to say about it, not even a hint', options, async () => {
    // Whether the examples fit is not asked: it takes minutes, because each schema is resolved whole, and `openapi.test.ts` asks it.
    const spectral = join(installed, '@stoplight/spectral-cli/dist/index.js')
    const words = ['lint', '--quiet', '--fail-severity=hint', '--ruleset', join(here, 'spectral.json')]

    assert.equal(await faultsOf(process.execPath, [spectral, ...words, join(folder, 'openapi.json')]), '')
  })
})

async function load<T>(path: string): Promise<T> {
  return (await import(pathToFileURL(path).href)) as T
}

/** What a command finds fault with: nothing where it ends well and silently. */
async function faultsOf(command: string, words: string[]): Promise<string> {
  const { stdout, stderr } = await run(command, words).catch((error: { stdout: string; stderr: string }) => {
    return { stdout: error.stdout, stderr: error.stderr || 'It ended badly.' }
  })
  return stdout + stderr
}

/** An address in one spelling: each tool marks parameters in its own way. */
function named(address: string): string {
  return address.replaceAll(/\{(\w+)\}/g, ':$1')
}
