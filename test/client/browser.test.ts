import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { chromium, type Page } from 'playwright-core'
import type * as library from '../../client/src/index.js'
import { chromiumArguments, executablePath, noChromium } from '../support/chromium.ts'
import { bootDesk } from '../support/desk.ts'
import { aProjectWithTheClient } from '../support/packed-client.ts'
import { aClient } from '../support/people.ts'
import { aTicket } from '../support/tickets.ts'

declare global {
  /** What a page of ours has imported. */
  var deskline: typeof library
}

const options = { skip: noChromium }
const origin = await serve(noChromium ? '' : (await aProjectWithTheClient()).folder)
const desk = await bootDesk({ connections: 10, config: { CORS_ORIGINS: [origin] } })
const browser = noChromium ? undefined : await chromium.launch({ executablePath, args: chromiumArguments })
after(() => browser?.close())

async function aPage(): Promise<Page> {
  const page = await browser!.newPage()
  await page.goto(origin)
  await page.waitForFunction(() => globalThis.deskline)
  return page
}

test(
  'in a browser, from a page of another origin, it signs in, writes, lists, renews and tells why something failed',
  options,
  async () => {
    const ada = await aClient(desk)
    const given = { url: desk.url, email: ada.email, password: ada.password }

    const page = await aPage()
    const told = await page.evaluate(async ({ url, email, password }) => {
      const { createClient } = globalThis.deskline
      let kept: library.Tokens | undefined
      const storage: library.TokenStorage = {
        load: () => kept,
        save(tokens) {
          kept = tokens
        }
      }
      const client = createClient({ baseUrl: url, storage })
      await client.signIn({ email, password, population: 'client' })
      const { data } = await client.POST('/api/tickets/create', {
        body: { deptid: 1, subject: 'On fire', message: 'It burns.' }
      })
      kept = { ...kept!, token: 'spoilt' }
      const subjects: string[] = []
      const lists = await Promise.all([client.POST('/api/tickets/list'), client.POST('/api/tickets/list')])
      for await (const { tickets } of client.pages('/api/tickets/list'))
        subjects.push(...tickets.map(one => one.subject))
      const failure = await client
        .POST('/api/tickets/detail', { body: { id: data.ticket_id + 1 } })
        .catch(error => error)
      await client.signOut()
      const { status, reason, requestId } = failure as library.DesklineError
      return { subjects, counts: lists.map(list => list.data.count), status, reason, requestId, kept }
    }, given)

    const { requestId, ...rest } = told
    assert.deepEqual(rest, {
      subjects: ['On fire'],
      counts: [1, 1],
      status: 404,
      reason: 'ticket_not_found',
      kept: undefined
    })
    assert.match(requestId ?? '', /./)
  }
)

test('in a browser an upload tells how much of it has gone, and can be given up', options, async () => {
  const ada = await aClient(desk)
  const given = { url: desk.url, email: ada.email, password: ada.password }

  const page = await aPage()
  const { told, files, givenUp, reason } = await page.evaluate(async ({ url, email, password }) => {
    const client = globalThis.deskline.createClient({ baseUrl: url })
    await client.signIn({ email, password, population: 'client' })
    const fields = { deptid: 1, subject: 'On fire', message: 'See the file.' }
    const told: library.Progress[] = []
    const { data } = await client.upload('/api/tickets/create', {
      fields,
      files: [new File(['x'.repeat(5_000_000)], 'printer.log', { type: 'text/plain' })],
      onProgress: progress => told.push(progress)
    })
    const leaving = new AbortController()
    const givenUp = await client
      .upload('/api/tickets/create', {
        fields,
        files: [new File(['x'.repeat(5_000_000)], 'printer.log', { type: 'text/plain' })],
        signal: leaving.signal,
        onProgress: () => leaving.abort(new Error('The reader has left'))
      })
      .catch(error => error.message)
    const refusal = await client
      .upload('/api/tickets/create', { fields: { subject: '', message: '' }, files: [], onProgress() {} })
      .catch(error => error)
    return { told, files: data.attachments.map(file => file.file_size), givenUp, reason: refusal.reason }
  }, given)

  assert.deepEqual(files, [5_000_000])
  assert.ok(told.length > 0 && told.at(-1)!.loaded === told.at(-1)!.total && told.at(-1)!.total > 5_000_000)
  assert.equal(givenUp, 'The reader has left')
  assert.equal(reason, 'missing_fields')
})

test('in a browser, from a page of another origin, a stream goes on where it broke', options, async () => {
  const ada = await aClient(desk)
  const { ticket_id: id } = await aTicket(desk, ada)
  await desk.post('/api/tickets/reply', ada, { id, message: 'Still burning.' })
  const given = { url: desk.url, email: ada.email, password: ada.password }

  const page = await aPage()
  const told = await page.evaluate(async ({ url, email, password }) => {
    let connections = 0
    // The first connection breaks within the second event.
    const fetch: typeof globalThis.fetch = async (input, init) => {
      const response = await globalThis.fetch(input, init)
      if (!String(input).endsWith('/stream') || connections++ > 0) return response
      const reader = response.body!.getReader()
      let text = ''
      while (!text.includes('ticket.replied')) text += new TextDecoder().decode((await reader.read()).value)
      await reader.cancel()
      return new Response(text.slice(0, text.indexOf('ticket.replied')))
    }
    const client = globalThis.deskline.createClient({ baseUrl: url, fetch })
    await client.signIn({ email, password, population: 'client' })
    const kinds: string[] = []
    for await (const { kind } of client.stream({ after: 0 })) {
      kinds.push(kind)
      if (kind === 'ticket.replied') break
    }
    return { kinds, connections }
  }, given)

  assert.deepEqual(told, { kinds: ['ticket.created', 'ticket.replied'], connections: 2 })
})

/** Serves a project as it is, behind a page that maps the names of packages to their files. */
async function serve(folder: string): Promise<string> {
  const imports = {
    '@deskline/client': '/node_modules/@deskline/client/src/index.js',
    'openapi-fetch': '/node_modules/openapi-fetch/dist/index.mjs'
  }
  const html = `<!doctype html><script type="importmap">${JSON.stringify({ imports })}</script>
    <script type="module">import * as deskline from '@deskline/client'; globalThis.deskline = deskline</script>`
  const server = createServer(async ({ url = '/' }, response) => {
    if (url === '/') return response.writeHead(200, { 'content-type': 'text/html' }).end(html)
    const text = await readFile(join(folder, url)).catch(() => undefined)
    response.writeHead(text ? 200 : 404, { 'content-type': 'text/javascript' }).end(text)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  after(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}
