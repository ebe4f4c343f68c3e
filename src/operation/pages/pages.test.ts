import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { bootDesk } from '../../../test/support/desk.ts'

const desk = await bootDesk()
const html = await (await fetch(`${desk.url}/docs`)).text()
const script = `/${/src="([^"]+bundle\.js)"/.exec(html)![1]}`

/** Like a browser, but with the bytes as they were transferred. */
async function get(path: string, headers: Record<string, string> = {}) {
  const answer = await fetch(desk.url + path, { headers })
  return { status: answer.status, headers: answer.headers, text: await answer.text() }
}

test('the reference and the description travel packed, in the way that the caller takes', async () => {
  for (const path of [script, '/openapi.json']) {
    const plain = await get(path, { 'accept-encoding': 'identity' })
    for (const [taken, packing] of [
      ['br, gzip', 'br'],
      ['gzip;q=1.0, br;q=0', 'gzip'],
      ['GZIP', 'gzip'],
      ['deflate', null]
    ] as const) {
      const answer = await get(path, { 'accept-encoding': taken })

      assert.equal(answer.headers.get('content-encoding'), packing, `${path} for ${taken}`)
      assert.equal(answer.headers.get('vary'), 'Accept-Encoding')
      assert.equal(answer.text, plain.text)
    }
  }
})

test('the description is made by `deskline generate` alone: to make it takes a process a second, in which it answers nobody', () => {
  const src = join(import.meta.dirname, '../..')
  const makers = globSync('**/*.ts', { cwd: src })
    .filter(path => !path.endsWith('.test.ts'))
    .filter(path => readFileSync(join(src, path), 'utf8').includes("/api-document.ts'"))

  assert.deepEqual(makers, ['operation/cli/generated.ts'])
})

test('who has them is not sent them again', async () => {
  for (const path of ['/docs', '/docs/', script, '/openapi.json']) {
    const { headers } = await get(path)
    const again = await get(path, { 'if-none-match': headers.get('etag')! })

    assert.equal(again.status, 304, path)
    assert.equal(again.text, '')
  }
})

test('what has its version in its address is kept for good, the description for an hour', async () => {
  const kept = async (path: string) => (await get(path)).headers.get('cache-control')

  assert.equal(await kept(script), 'public, max-age=31536000, immutable')
  assert.equal(await kept('/openapi.json'), 'public, max-age=3600')
  assert.equal(await kept('/docs'), 'no-cache')
  assert.equal((await get(script.replace(/static\/\w+/, 'static/0000'))).status, 404)
  assert.equal((await get(script.replace('swagger-ui-bundle.js', 'nothing.js'))).status, 404)
})
