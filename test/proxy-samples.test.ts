import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { readConfig } from '../src/core/config.ts'
import { root } from './support/program.ts'

const samples = { caddy: sample('Caddyfile'), nginx: sample('nginx.conf') }

test('the samples take what Deskline takes, wait as long as it does, and tell it the caller’s address alone', () => {
  const { MAX_FILES, MAX_FILE_BYTES, REQUEST_TIMEOUT_SECONDS, IDLE_TIMEOUT_SECONDS } = readConfig({})
  const megabytes = (MAX_FILES * MAX_FILE_BYTES) / 1024 ** 2
  const number = (text: string, pattern: RegExp) => Number(pattern.exec(text)?.[1])
  const { caddy, nginx } = samples

  for (const size of [number(caddy, /max_size (\d+)MB/), number(nginx, /client_max_body_size (\d+)m/)])
    assert.ok(size > megabytes)
  for (const wait of [number(caddy, /response_header_timeout (\d+)s/), number(nginx, /proxy_read_timeout (\d+)s/)]) {
    assert.ok(wait > REQUEST_TIMEOUT_SECONDS)
  }
  for (const idle of [number(caddy, /keepalive (\d+)s/), number(nginx, /keepalive_timeout (\d+)s/)]) {
    assert.ok(idle < IDLE_TIMEOUT_SECONDS)
  }
  // A POST is sent to another process only if it could not be sent to the first one.
  assert.match(nginx, /proxy_next_upstream error;/)
  assert.match(nginx, /proxy_set_header X-Forwarded-For \$remote_addr;/)
  // Caddy speaks HTTP/2 without being told.
  assert.match(nginx, /^\s*http2 on;/m)
  assert.match(nginx, /proxy_request_buffering off;\n\s+proxy_buffering off;/)
  assert.doesNotMatch(caddy, /^\s*flush_interval/m)
  // Streams of events are neither held back nor compressed.
  assert.doesNotMatch(nginx, /^\s*gzip|proxy_ignore_headers/m)
  assert.doesNotMatch(caddy, /^\s*encode/m)
})

test('caddy takes its sample', t => {
  const checked = spawnSync('caddy', [
    'validate',
    '--adapter',
    'caddyfile',
    '--config',
    join(root, 'packaging/Caddyfile')
  ])
  if (checked.error) return t.skip('caddy is not installed')

  assert.equal(checked.status, 0, String(checked.stderr))
})

test('nginx takes its sample', async t => {
  const folder = await aFolder(t)
  const certificate = ['crt', 'key'].map(ending => join(root, `test/support/localhost.${ending}`))
  const site = (isBefore12501() ? ofOldNginx(samples.nginx) : samples.nginx)
    .replace('/etc/ssl/desk.example.com.crt', certificate[0]!)
    .replace('/etc/ssl/desk.example.com.key', certificate[1]!)
  await writeFile(join(folder, 'site.conf'), site)
  await writeFile(
    join(folder, 'nginx.conf'),
    `pid ${folder}/pid; error_log stderr; events {} http { access_log off; include ${folder}/site.conf; }`
  )
  const checked = spawnSync('nginx', ['-t', '-p', folder, '-c', join(folder, 'nginx.conf')], {
    env: { PATH: `${process.env.PATH}:/usr/sbin` }
  })
  if (checked.error) return t.skip('nginx is not installed')

  assert.equal(checked.status, 0, String(checked.stderr))
})

/** Whether this nginx knows HTTP/2 only as a word of `listen`, as the sample says. */
function isBefore12501(): boolean {
  const { stderr } = spawnSync('nginx', ['-v'], { env: { PATH: `${process.env.PATH}:/usr/sbin` }, encoding: 'utf8' })
  const [major = 1, minor = 0, patch = 0] =
    /nginx\/([\d.]+)/
      .exec(stderr ?? '')?.[1]
      ?.split('.')
      .map(Number) ?? []
  return major * 10_000 + minor * 100 + patch < 12_501
}

function ofOldNginx(sample: string): string {
  return sample.replace(/^\s*http2 on;$/m, '').replace('listen 443 ssl;', 'listen 443 ssl http2;')
}

test('the scripts of the packaging are shell that every sh reads', () => {
  for (const name of ['deskline-command', 'install-binaries', 'make-secrets', 'sbom']) {
    execFileSync('sh', ['-n', join(root, 'packaging', name)])
  }
})

function sample(name: string): string {
  return readFileSync(join(root, 'packaging', name), 'utf8')
}

async function aFolder(t: TestContext): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'deskline-proxy-'))
  t.after(() => rm(folder, { recursive: true, force: true }))
  return folder
}
