import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { eventually } from './faults/eventually.ts'
import { bootDesk } from './support/desk.ts'
import { aClient, aSupporter } from './support/people.ts'
import { root } from './support/program.ts'
import { listen } from './support/streams.ts'
import { tcpProxy } from './support/tcp-proxy.ts'
import { aTicket } from './support/tickets.ts'

const desk = await bootDesk({ connections: 4 })
const port = new URL(desk.url).port
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
         .replace('127.0.0.1:3000', `127.0.0.1:${port}`)
         .replace('listen 80;', `listen unix:${folder}/plain;`)
         .replace('listen 443 ssl;', `listen unix:${socket};`)
         .replaceAll(/^\s*ssl_certificate.*$/gm, '')} }`,
    command: (config, folder) => ['nginx', '-p', folder, '-c', config]
  },
  Caddyfile: {
    isThere: () => spawnSync('caddy', ['version'], { env }).error === undefined,
    adapt: (sample, socket) =>
      `{\nadmin off\n}\n${sample
        .replace('127.0.0.1:3000', `127.0.0.1:${port}`)
        .replace('desk.example.com {', `http:// {\nbind unix/${socket}`)}`,
    command: config => ['caddy', 'run', '--adapter', 'caddyfile', '--config', config]
  }
}

for (const [name, proxy] of Object.entries(proxies)) {
  test(`behind the sample ${name} an event is there while its stream goes on, and who hangs up is gone`, async t => {
    if (!proxy.isThere()) return t.skip('it is not installed')
    const url = await running(t, name, proxy)
    const [ada, grace] = [await aClient(desk), await aSupporter(desk, 'tickets.view_all')]

    const stream = await listen(url, { token: grace.token })
    const { ticket_id } = await aTicket(desk, ada)
    const created = await stream.first(({ event }) => event === 'ticket.created')
    await desk.post('/api/tickets/reply', ada, { id: ticket_id, message: 'It hums again.' })
    await stream.first(({ event }) => event === 'ticket.replied')
    const open = await streams()
    stream.close()

    assert.equal(stream.status, 200)
    assert.match(stream.headers.get('content-type')!, /^text\/event-stream/)
    assert.equal(stream.headers.get('content-encoding'), null)
    assert.equal(created.data.ticket_id, ticket_id)
    assert.equal(open, 1)
    await eventually(60, 'the end of the stream', async () => assert.equal(await streams(), 0))
  })
}

async function streams(): Promise<number> {
  const { values } = await desk.services.metrics.eventStreams.get()
  return values.reduce((sum, { value }) => sum + value, 0)
}

/** Starts it, and answers where it is reached. */
async function running(t: TestContext, name: string, proxy: Proxy): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'deskline-proxy-'))
  await mkdir(join(folder, 'logs'))
  const [socket, config] = [join(folder, 'front'), join(folder, name)]
  await writeFile(config, proxy.adapt(readFileSync(join(root, 'packaging', name), 'utf8'), socket, folder))
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
