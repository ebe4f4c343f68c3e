import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { after, test } from 'node:test'
import { bootDesk } from '../../../../test/support/desk.ts'
import { aLogo, png } from '../../../../test/support/logos.ts'
import { aClient, anAdmin, aSupporter } from '../../../../test/support/people.ts'
import { poster } from '../../../../test/support/requests.ts'
import { form } from '../../../../test/support/tickets.ts'
import { buildApp } from '../../../app.ts'
import { openDatabase } from '../../../platform/db/open.ts'

const path = '/api/admin/settings/logo'
const desk = await bootDesk({ connections: 8 })
const admin = await anAdmin(desk)
const jpeg = Buffer.from('ffd8ffe000104a46494600010100000100010000ffd9', 'hex')
const webp = Buffer.from('RIFF\x1a\0\0\0WEBPVP8L\x0d\0\0\0\x2f\0\0\0\x10\x07\x10\x11\x11\x88\x88\xfe\x07\0', 'latin1')
const svg = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'

test('the logo is what its content is, whatever it is called, and anybody gets it under an address of its own', async () => {
  const addresses = new Set<string>()
  for (const [content, type, extension] of [
    [png, 'image/png', 'png'],
    [jpeg, 'image/jpeg', 'jpg'],
    [webp, 'image/webp', 'webp']
  ] as const) {
    const uploaded = await desk.post(path, admin, form({}, aLogo(content, 'logo.svg', 'image/svg+xml')))
    const { logo_url } = (await desk.post('/api/desk')).data
    const answer = await fetch(desk.url + logo_url)
    const again = await fetch(desk.url + logo_url, { headers: { 'if-none-match': answer.headers.get('etag')! } })
    const head = await fetch(desk.url + logo_url, { method: 'HEAD' })

    assert.deepEqual([uploaded.status, uploaded.data], [200, { logo_url }])
    assert.equal(logo_url, `/branding/logo/${sha256(content)}.${extension}`)
    assert.deepEqual(Buffer.from(await answer.arrayBuffer()), content)
    for (const { headers } of [answer, head]) {
      assert.equal(headers.get('content-type'), type)
      assert.equal(headers.get('content-length'), String(content.length))
      assert.equal(headers.get('content-disposition'), 'inline')
      assert.equal(headers.get('cache-control'), 'public, max-age=31536000, immutable')
      assert.equal(headers.get('x-content-type-options'), 'nosniff')
      assert.equal(headers.get('content-security-policy'), "default-src 'none'; frame-ancestors 'none'; sandbox")
    }
    assert.deepEqual([again.status, await again.text(), head.status], [304, '', 200])
    addresses.add(logo_url)
  }

  const statuses = await Promise.all([...addresses].map(async url => (await fetch(desk.url + url)).status))
  assert.deepEqual(statuses, [404, 404, 200])
})

test('other addresses have no logo', async () => {
  await desk.post(path, admin, form({}, aLogo()))
  const digest = sha256(png)

  for (const name of [
    `${digest}.jpg`,
    digest,
    `${digest}.png.html`,
    `${digest.toUpperCase()}.png`,
    '%00.png',
    '..%2f'
  ]) {
    const answer = await fetch(`${desk.url}/branding/logo/${name}`)
    assert.equal(answer.status, 404, name)
    assert.match(answer.headers.get('cache-control')!, /no-store/)
  }
})

test('what is no image, too large, none or several is refused, and the logo stays', async () => {
  await desk.post(path, admin, form({}, aLogo()))
  const before = [await desk.post('/api/desk'), await desk.rowCounts()] as const
  const large = Buffer.concat([png, Buffer.alloc(256 * 1024 + 1 - png.length)])
  const refused: [number, string, FormData | object][] = [
    [400, 'logo_refused', form({}, aLogo(svg, 'logo.svg', 'image/svg+xml'))],
    [400, 'logo_refused', form({}, aLogo(svg))],
    [400, 'logo_refused', form({}, aLogo('GIF89a'))],
    [400, 'logo_refused', form({}, aLogo(` ${png.toString('latin1')}`))],
    [400, 'logo_refused', form({}, aLogo('RIFF....WAVEfmt '))],
    [400, 'logo_refused', form({}, aLogo(''))],
    [413, 'file_too_large', form({}, aLogo(large))],
    [413, 'too_many_files', form({}, aLogo(), aLogo())],
    [400, 'missing_fields', form({ logo: 'data:image/png;base64,' })],
    [400, 'missing_fields', {}]
  ]

  for (const [status, reason, body] of refused) {
    const reply = await desk.post(path, admin, body)
    assert.deepEqual([reply.status, reply.body.reason], [status, reason])
  }

  assert.deepEqual([(await desk.post('/api/desk')).data, await desk.rowCounts()], [before[0].data, before[1]])
  assert.deepEqual(await readdir(desk.dataDir), [])
  assert.equal((await desk.post(path, admin, form({}, aLogo(large.subarray(0, -1))))).status, 200)
})

test('admins alone set and remove it', async () => {
  await desk.post(path, admin, form({}, aLogo()))
  const { data } = await desk.post('/api/desk')

  for (const asker of [undefined, await aClient(desk), await aSupporter(desk, 'staff.manage', 'departments.manage')]) {
    for (const door of [path, `${path}/delete`]) {
      const { status } = await desk.post(door, asker, form({}, aLogo(jpeg)))
      assert.equal(status, asker ? 403 : 401)
    }
  }
  assert.deepEqual((await desk.post('/api/desk')).data, data)
})

test('who sets or removes it is in the audit log, by its digest; the same one again, or none, is no change', async () => {
  await desk.post(path, admin, form({}, aLogo(jpeg)))
  await desk.post(path, admin, form({}, aLogo(png)))
  await desk.post(path, admin, form({}, aLogo(png, 'another-name.png')))
  const removed = await desk.post(`${path}/delete`, admin)
  const again = await desk.post(`${path}/delete`, admin)

  const { entries } = (await desk.post('/api/admin/audit', admin, { action: 'setting.' })).data
  const [before, first, second] = [null, sha256(jpeg), sha256(png)].map(logo_sha256 => ({ logo_sha256 }))
  assert.deepEqual(
    entries.slice(0, 2).map((entry: Record<string, unknown>) => [entry.actor_id, entry.before, entry.after]),
    [
      [admin.id, second, before],
      [admin.id, first, second]
    ]
  )
  assert.deepEqual([removed.status, again.status], [200, 200])
  assert.equal((await desk.post('/api/desk')).data.logo_url, null)
})

test('admins who set it at once each record what they found, and one logo is left', async () => {
  const logos = Array.from({ length: 8 }, (_, at) => aLogo(Buffer.concat([png, Buffer.from([at])])))

  await Promise.all(logos.map(logo => desk.post(path, admin, form({}, logo))))

  const { entries } = (await desk.post('/api/admin/audit', admin, { action: 'setting.', limit: 8 })).data
  for (const [at, { before }] of entries.slice(0, -1).entries()) assert.deepEqual(before, entries[at + 1].after)
  const { logo_url } = (await desk.post('/api/desk')).data
  assert.ok(logo_url.includes(entries[0].after.logo_sha256))
  assert.equal((await desk.rowCounts()).desk_logo, 1)
})

test('another process on the same database shows a change at once', async () => {
  const { db, pool, close } = openDatabase({
    connection: desk.connection,
    maxConnections: 1,
    statementTimeoutMilliseconds: 10_000,
    connectTimeoutMilliseconds: 10_000,
    onIdleError: () => {}
  })
  const app = await buildApp({ ...desk.services, db, pool })
  await app.listen({ port: 0, host: '127.0.0.1' })
  after(async () => {
    await app.close()
    await close()
  })
  const url = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`
  const elsewhere = async () => (await poster(url)('/api/desk')).data

  for (const content of [png, jpeg]) {
    const { logo_url } = (await desk.post(path, admin, form({}, aLogo(content)))).data
    assert.equal((await elsewhere()).logo_url, logo_url)
    assert.deepEqual(Buffer.from(await (await fetch(url + logo_url)).arrayBuffer()), content)
  }
  await desk.post('/api/admin/settings/update', admin, { name: 'Elsewhere' })
  assert.equal((await elsewhere()).name, 'Elsewhere')
  await desk.post(`${path}/delete`, admin)
  assert.equal((await elsewhere()).logo_url, null)
})

function sha256(content: Buffer): string {
  return createHash('sha256').update(content).digest('hex')
}
