import assert from 'node:assert/strict'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { brotliCompressSync } from 'node:zlib'
import { bootDesk } from '../../../test/support/desk.ts'

const folder = await mkdtemp(join(tmpdir(), 'deskline-web-'))
after(() => rm(folder, { recursive: true, force: true }))
const script = `console.log('${'x'.repeat(2000)}')`
const packed = brotliCompressSync(`${script} // packed at build time`)
await build(folder)
const desk = await bootDesk({ webFolder: folder })
const html = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }

async function build(folder: string, portal = 'The portal'): Promise<void> {
  await mkdir(join(folder, 'assets'), { recursive: true })
  await mkdir(join(folder, '.vite'), { recursive: true })
  await writeFile(join(folder, '.vite/manifest.json'), '{}')
  await writeFile(join(folder, 'assets/portal-BGgele8_.js'), script)
  await writeFile(join(folder, 'assets/portal-BGgele8_.js.br'), packed)
  await writeFile(join(folder, 'logo.svg'), '<svg/>')
  await writeFile(join(folder, 'desk.html'), 'The console')
  await writeFile(join(folder, 'portal.html'), portal)
}

async function get(path: string, headers: Record<string, string> = {}, url = desk.url) {
  const answer = await fetch(url + path, { headers, redirect: 'manual' })
  return { status: answer.status, headers: answer.headers, text: await answer.text() }
}

/** Sent as it is written: `fetch` would normalize the dots. */
async function statusOf(path: string): Promise<number> {
  const { port } = new URL(desk.url)
  return await new Promise((resolve, reject) => {
    const asked = request({ host: '127.0.0.1', port, path, headers: html }, answer => {
      answer.resume()
      resolve(answer.statusCode!)
    })
    asked.on('error', reject).end()
  })
}

test('the portal is at / and at the addresses that it draws itself, the console at /desk and below', async () => {
  for (const path of [
    '/',
    '/?a=1',
    '/tickets',
    '/tickets/TIC-104233',
    '/sign-in',
    '/sign-up/',
    '/reset?token=a',
    '/new'
  ]) {
    const { status, text } = await get(path, html)
    assert.deepEqual([status, text], [200, 'The portal'], path)
  }
  for (const path of ['/desk', '/desk/', '/desk/inbox/104233?view=mine', '/desk/settings/webhooks']) {
    const { status, text } = await get(path)
    assert.deepEqual([status, text], [200, 'The console'], path)
  }
})

test('a reset link of before leads to the page, with all that it brings along', async () => {
  const { status, headers } = await get('/reset-password?token=a%2Fb&email=c%40d.e')

  assert.deepEqual([status, headers.get('location')], [302, '/reset?token=a%2Fb&email=c%40d.e'])
})

test('an address that is nowhere is a page for people, with 404, and an envelope for programs', async () => {
  const page = await get('/nowhere/at/all', html)
  const envelopes = [await get('/nowhere/at/all'), await get('/tickets', { accept: 'application/json' })]

  assert.deepEqual([page.status, page.text, page.headers.get('etag') !== null], [404, 'The portal', true])
  assert.equal((await get('/nowhere', { ...html, 'if-none-match': page.headers.get('etag')! })).status, 404)
  for (const { status, text } of envelopes) assert.deepEqual([status, JSON.parse(text).reason], [404, 'not_found'])
})

test('addresses of the API answer a browser as they answer anybody', async () => {
  const [known, unknown] = [await get('/api/auth/login', html), await get('/api/nowhere', html)]

  assert.deepEqual([known.status, known.headers.get('allow'), JSON.parse(known.text).status], [405, 'POST', 'error'])
  assert.deepEqual([unknown.status, JSON.parse(unknown.text).status], [404, 'error'])
  const posted = await fetch(`${desk.url}/desk`, { method: 'POST' })
  assert.deepEqual([posted.status, posted.headers.get('allow')], [405, 'GET, HEAD'])
})

test('pages run what comes from here and nothing that is written into them', async () => {
  for (const [path, status] of [
    ['/', 200],
    ['/desk', 200],
    ['/nowhere', 404]
  ] as const) {
    const { headers, ...answer } = await get(path, html)
    const policy = headers.get('content-security-policy')!

    assert.equal(answer.status, status)
    assert.match(policy, /^default-src 'none'; script-src 'self'; style-src 'self'; font-src 'self';/)
    assert.match(policy, /form-action 'self'; base-uri 'none'; frame-ancestors 'none'$/)
    assert.doesNotMatch(policy, /unsafe|https?:|\*/)
  }
})

test('files that are fetched from a store by a signed link may be shown', async () => {
  const S3 = { S3_BUCKET: 'files', S3_PRESIGNED_DOWNLOADS: true, S3_REGION: 'eu-central-1' }
  const amazon = await bootDesk({ webFolder: folder, config: S3 })
  const own = { S3_ENDPOINT: 'http://minio:9000', S3_PUBLIC_ENDPOINT: 'https://s3.example.com', S3_PATH_STYLE: true }
  const minio = await bootDesk({ webFolder: folder, config: { ...S3, ...own } })
  const imagesOf = async ({ url }: { url: string }) =>
    /img-src ([^;]+)/.exec((await get('/', {}, url)).headers.get('content-security-policy')!)![1]

  assert.equal(
    await imagesOf(amazon),
    "'self' blob: data: https://s3.eu-central-1.amazonaws.com https://files.s3.eu-central-1.amazonaws.com"
  )
  assert.equal(await imagesOf(minio), "'self' blob: data: https://s3.example.com")
})

test('what has its content in its name is kept for good, and travels as it was packed at build time', async () => {
  const path = '/assets/portal-BGgele8_.js'
  const plain = await get(path, { 'accept-encoding': 'identity' })
  const brotli = await get(path, { 'accept-encoding': 'gzip, br' })
  const gzip = await get(path, { 'accept-encoding': 'gzip' })

  assert.equal(plain.headers.get('cache-control'), 'public, max-age=31536000, immutable')
  assert.equal(plain.headers.get('content-type'), 'text/javascript; charset=utf-8')
  assert.equal(plain.text, script)
  assert.deepEqual([brotli.headers.get('content-encoding'), gzip.headers.get('content-encoding')], ['br', 'gzip'])
  assert.deepEqual([brotli.text, gzip.text], [`${script} // packed at build time`, script])
  assert.equal(brotli.headers.get('content-length'), String(packed.length))
  assert.equal((await get(`${path}.br`)).status, 404)
})

test('pages are asked for again by their tag, what lies beside them after an hour, and HEAD tells the same', async () => {
  const page = await get('/', html)
  const again = await get('/', { ...html, 'if-none-match': page.headers.get('etag')! })
  const head = await fetch(`${desk.url}/tickets`, { method: 'HEAD' })
  const file = await fetch(`${desk.url}/logo.svg`, { method: 'HEAD' })

  assert.deepEqual([page.headers.get('cache-control'), again.status, again.text], ['no-cache', 304, ''])
  assert.deepEqual([head.status, head.headers.get('content-length')], [200, '10'])
  assert.deepEqual([head.headers.get('etag'), await head.text()], [page.headers.get('etag'), ''])
  assert.deepEqual([file.status, file.headers.get('cache-control')], [200, 'public, max-age=3600'])
  assert.equal(file.headers.get('content-type'), 'image/svg+xml; charset=utf-8')
})

test('no address leads out of the folder, nor to what is not meant for browsers', async () => {
  await writeFile(join(folder, '..', 'deskline-secret.txt'), 'secret')
  after(() => rm(join(folder, '..', 'deskline-secret.txt')))
  for (const path of [
    '/assets/../../deskline-secret.txt',
    '/assets/..%2f..%2fdeskline-secret.txt',
    '/assets/%2e%2e/%2e%2e/deskline-secret.txt',
    '/assets/..\\..\\deskline-secret.txt',
    '/..%2fdeskline-secret.txt',
    '/../deskline-secret.txt',
    '//deskline-secret.txt',
    '/.vite/manifest.json',
    '/portal.html',
    '/assets/',
    '/assets/portal-BGgele8_.js%00'
  ]) {
    assert.equal(await statusOf(path), 404, path)
  }
})

test('a new build is shown without a restart, and while one is being replaced the former one', async () => {
  const own = await mkdtemp(join(tmpdir(), 'deskline-web-'))
  after(() => rm(own, { recursive: true, force: true }))
  const { url } = await bootDesk({ webFolder: own })
  const shown = async () => {
    const { status, text } = await get('/', html, url)
    return [status, text.includes('not built') ? 'not built' : text]
  }

  const states = [await shown()]
  await build(own, 'The first portal')
  states.push(await shown())
  await rm(join(own, 'portal.html'))
  states.push(await shown())
  await build(own, 'The second portal')
  states.push(await shown())

  assert.deepEqual(states, [
    [503, 'not built'],
    [200, 'The first portal'],
    [200, 'The first portal'],
    [200, 'The second portal']
  ])
})

test('in production they are read once', async () => {
  const own = await mkdtemp(join(tmpdir(), 'deskline-web-'))
  after(() => rm(own, { recursive: true, force: true }))
  await build(own)
  const { url } = await bootDesk({ webFolder: own, config: { production: true } })

  await get('/', html, url)
  await rm(own, { recursive: true })

  assert.deepEqual(
    [(await get('/', html, url)).text, (await get('/assets/portal-BGgele8_.js', {}, url)).text],
    ['The portal', script]
  )
})

test('without a build the API works, and the pages say what to do', async () => {
  const { url, post } = await bootDesk({ webFolder: join(folder, 'nothing') })

  for (const path of ['/', '/desk/inbox', '/sign-in']) {
    const { status, text, headers } = await get(path, html, url)
    assert.deepEqual([status, headers.get('content-type')], [503, 'text/html; charset=utf-8'])
    assert.match(text, /The pages are not built.*npm run build/s)
  }
  assert.equal((await post('/api/check')).status, 200)
})
