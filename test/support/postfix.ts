import assert from 'node:assert/strict'
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { chmod, chown, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after } from 'node:test'
import { freePort } from './free-port.ts'
import { until } from './until.ts'

const daemons = '/usr/lib/postfix/sbin'
const master = join(daemons, 'master')
const control = '/usr/sbin/postfix'
export const unprivilegedUserId = 65534

/** Why no Postfix can be started here; undefined where one can. */
export function whyNoPostfix(): string | undefined {
  if (![master, control].every(path => existsSync(path))) return 'Postfix is not installed here'
  return process.getuid!() === 0 ? undefined : 'Postfix can only be started by root'
}

/** Runs a Postfix of our own for mail.example. It ends with the test, and by itself when that is killed. */
export async function postfix(
  told: (folder: string) => { main: string; services?: string[] }
): Promise<{ port: number; folder: string; log: () => Promise<string> }> {
  assert.equal(whyNoPostfix(), undefined)
  const folder = await mkdtemp(join(tmpdir(), 'deskline-postfix-'))
  await chmod(folder, 0o755)
  for (const name of ['spool', 'data', 'mail']) await mkdir(join(folder, name))
  await chown(join(folder, 'data'), Number(execFileSync('id', ['-u', 'postfix'])), 0)
  await chown(join(folder, 'mail'), unprivilegedUserId, unprivilegedUserId)
  const port = await freePort()
  const { main, services = [] } = told(folder)
  await writeFile(join(folder, 'main.cf'), `${mainSettings(folder)}${main}\n`)
  await writeFile(join(folder, 'master.cf'), `${[...servicesAt(port), ...services].join('\n')}\n`)
  execFileSync(control, ['-c', folder, 'check'], { stdio: 'pipe' })

  const child = spawn(master, ['-c', folder, '-d', '-e', '900'], { stdio: 'ignore', detached: true })
  const ended = once(child, 'exit')
  after(async () => {
    // With all the servers that it has started.
    if (child.exitCode === null) process.kill(-child.pid!, 'SIGTERM')
    await ended
    await rm(folder, { recursive: true, force: true })
  })
  const log = () => readFile(join(folder, 'log'), 'utf8')
  await until(() => answers(port), log)
  return { port, folder, log }
}

function mainSettings(folder: string): string {
  return `compatibility_level = 3.6
queue_directory = ${folder}/spool
data_directory = ${folder}/data
daemon_directory = ${daemons}
maillog_file = ${folder}/log
maillog_file_prefixes = ${folder}
inet_interfaces = 127.0.0.1
inet_protocols = ipv4
myhostname = mail.example
mydestination =
local_recipient_maps =
alias_maps =
# On a busy machine a probe of an address takes longer than nine seconds, and what failed for now is tried again at once, not after five minutes.
address_verify_poll_count = 60
address_verify_poll_delay = 1s
queue_run_delay = 1s
minimal_backoff_time = 1s
maximal_backoff_time = 2s
`
}

function servicesAt(port: number): string[] {
  return [
    `127.0.0.1:${port} inet n - n - - smtpd`,
    'cleanup unix n - n - 0 cleanup',
    ...['bounce', 'error', 'anvil', 'virtual', 'lmtp'].map(name => `${name} unix - n n - - ${name}`),
    'qmgr unix n - n 300 1 qmgr',
    'verify unix - - n - 1 verify',
    'rewrite unix - - n - - trivial-rewrite',
    'defer unix - - n - 0 bounce',
    'trace unix - - n - 0 bounce',
    'retry unix - - n - - error',
    'proxymap unix - - n - - proxymap',
    'postlog unix-dgram n - n - 1 postlogd'
  ]
}

async function answers(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1')
  socket.setTimeout(2_000, () => socket.destroy())
  try {
    const [greeting] = await Promise.race([once(socket, 'data'), once(socket, 'close').then(() => [''])])
    return String(greeting).startsWith('220')
  } catch {
    return false
  } finally {
    socket.destroy()
  }
}
