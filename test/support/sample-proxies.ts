import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { eventually } from '../faults/eventually.ts'
import { root } from './program.ts'
import { tcpProxy } from './tcp-proxy.ts'

const env = { ...process.env, PATH: `${process.env.PATH}:/usr/sbin` }

interface Proxy {
  isThere(): boolean
  /** Makes its sample one for this desk, on a socket instead of a port that may be taken, and without a certificate. */
  adapt(sample: string, socket: string, folder: string): string
  command(config: string, folder: string): string[]
}

const proxies: Record<string, Proxy> = {
  'nginx.conf': {
    isThere: () => spawnSync('nginx', ['-v'], { env }).error === undefined,
    adapt: (sample, socket, folder) =>
      `daemon off; master_process off; pid ${folder}/pid; error_log stderr; events {}
       http { access_log off; client_body_temp_path ${folder}/body; proxy_temp_path ${folder}/proxy; ${sample
         .replace('listen 80;', `listen unix:${folder}/plain;`)
         .replace('listen 443 ssl;', `listen unix:${socket};`)
         .replaceAll(/^\s*(ssl_certificate|http2).*$/gm, '')} }`,
    command: (config, folder) => ['nginx', '-p', folder, '-c', config]
  },
  Caddyfile: {
    isThere: () => spawnSync('caddy', ['version'], { env }).error === undefined,
    adapt: (sample, socket) =>
      `{\nadmin off\n}\n${sample.replace('desk.example.com {', `http:// {\nbind unix/${socket}`)}`,
    command: config => ['caddy', 'run', '--adapter', 'caddyfile', '--config', config]
  }
}

/** The samples in `packaging`, by the names of their files. */
export const sampleProxies = Object.keys(proxies)

/** Starts a proxy by its sample in front of these two ports, and returns its URL; undefined if it is not installed. */
export async function startSampleProxy(
  t: TestContext,
  name: string,
  ports: readonly [number, number]
): Promise<string | undefined> {
  const proxy = proxies[name]!
  if (!proxy.isThere()) return undefined
  const folder = await mkdtemp(join(tmpdir(), 'deskline-proxy-'))
  await mkdir(join(folder, 'logs'))
  const [socket, config] = [join(folder, 'front'), join(folder, name)]
  const sample = readFileSync(join(root, 'packaging', name), 'utf8')
    .replace('127.0.0.1:3000', `127.0.0.1:${ports[0]}`)
    .replace('127.0.0.1:3001', `127.0.0.1:${ports[1]}`)
  await writeFile(config, proxy.adapt(sample, socket, folder))
  const [command, ...words] = proxy.command(config, folder)
  const child = spawn(command!, words, { env: { ...env, HOME: folder }, stdio: ['ignore', 'pipe', 'pipe'] })
  const ended = once(child, 'close')
  let said = ''
  for (const output of [child.stdout, child.stderr]) output.on('data', text => (said += text))
  const wire = await tcpProxy({ path: socket })
  t.after(async () => {
    wire.close()
    child.kill('SIGTERM')
    await ended
    await rm(folder, { recursive: true, force: true })
  })
  const url = `http://127.0.0.1:${wire.port}`
  await eventually(60, name, async () => {
    const answer = await fetch(`${url}/api/check`, { method: 'POST' }).catch(error =>
      assert.fail(`${error.cause}: ${said}`)
    )
    assert.equal(answer.status, 200, said)
  })
  return url
}
