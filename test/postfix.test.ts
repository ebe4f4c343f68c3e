import assert from 'node:assert/strict'
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { chmod, chown, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { type AddressInfo, connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import PostalMime from 'postal-mime'
import { smtpMail } from '../src/platform/mail/smtp.ts'
import { smtpAddress } from '../src/platform/mail/smtp-address.ts'
import { bootDesk } from './support/desk.ts'
import { aClient } from './support/people.ts'

const daemons = '/usr/lib/postfix/sbin'
const master = join(daemons, 'master')
const control = '/usr/sbin/postfix'
const nobody = 65534

test('e-mails pass through a real Postfix into a mailbox; whom it does not know fails for good', async context => {
  if (![master, control].every(path => existsSync(path))) return context.skip('Postfix is not installed here')
  if (process.getuid!() !== 0) return context.skip('Postfix can only be started by root')
  const { port, emails } = await postfix({ mailbox: 'anna@mail.example' })
  const mail = smtpMail({ address: smtpAddress(`smtp://127.0.0.1:${port}`) })
  after(() => mail.close())
  const desk = await bootDesk({ services: { mail } })
  const [anna, stranger] = [
    await aClient(desk, { email: 'anna@mail.example' }),
    await aClient(desk, { email: 'stranger@mail.example' })
  ]

  const asked = await desk.post('/api/auth/send-email-verification', anna)
  await desk.post('/api/auth/send-email-verification', stranger)
  await desk.deliver()

  const rows = await desk.db.selectFrom('letters').select(['state', 'last_answer']).orderBy('id').execute()
  const [message] = await emails()
  assert.deepEqual(
    rows.map(row => row.state),
    ['sent', 'failed']
  )
  assert.match(rows[0]!.last_answer!, /^250 2\.0\.0 Ok: queued as \w+$/)
  assert.match(rows[1]!.last_answer!, /550 5\.1\.1 <stranger@mail\.example>: Recipient address rejected: User unknown/)
  assert.equal(/\b\d{6}\b/.exec(message!.text!)?.[0], asked.data.code)
  assert.match(message!.html!, new RegExp(asked.data.code))
})

/** Runs a Postfix of our own that delivers into one mailbox. It ends with the test, and by itself when that is killed. */
async function postfix({ mailbox }: { mailbox: string }) {
  const folder = await mkdtemp(join(tmpdir(), 'deskline-postfix-'))
  await chmod(folder, 0o755)
  for (const name of ['spool', 'data', 'mail']) await mkdir(join(folder, name))
  await chown(join(folder, 'data'), Number(execFileSync('id', ['-u', 'postfix'])), 0)
  await chown(join(folder, 'mail'), nobody, nobody)
  const port = await freePort()
  await writeFile(join(folder, 'main.cf'), mainSettings(folder, mailbox))
  await writeFile(join(folder, 'master.cf'), services(port))
  execFileSync(control, ['-c', folder, 'check'], { stdio: 'pipe' })

  const child = spawn(master, ['-c', folder, '-d', '-e', '120'], { stdio: 'ignore', detached: true })
  const ended = once(child, 'exit')
  after(async () => {
    // With all the servers that it has started.
    if (child.exitCode === null) process.kill(-child.pid!, 'SIGTERM')
    await ended
    await rm(folder, { recursive: true, force: true })
  })
  const log = () => readFile(join(folder, 'log'), 'utf8')
  await until(() => answers(port), log)

  const arrived = join(folder, 'mail', 'box', 'new')
  return {
    port,
    async emails() {
      await until(async () => existsSync(arrived) && (await readdir(arrived)).length > 0, log)
      const files = await Promise.all((await readdir(arrived)).map(name => readFile(join(arrived, name))))
      return await Promise.all(files.map(file => PostalMime.parse(file)))
    }
  }
}

function mainSettings(folder: string, mailbox: string): string {
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
virtual_mailbox_domains = mail.example
virtual_mailbox_base = ${folder}/mail
virtual_mailbox_maps = inline:{ ${mailbox}=box/ }
virtual_uid_maps = static:${nobody}
virtual_gid_maps = static:${nobody}
`
}

function services(port: number): string {
  const rows = [
    `127.0.0.1:${port} inet n - n - - smtpd`,
    'cleanup unix n - n - 0 cleanup',
    ...['bounce', 'error', 'anvil', 'virtual'].map(name => `${name} unix - n n - - ${name}`),
    'qmgr unix n - n 300 1 qmgr',
    'rewrite unix - - n - - trivial-rewrite',
    'defer unix - - n - 0 bounce',
    'trace unix - - n - 0 bounce',
    'retry unix - - n - - error',
    'proxymap unix - - n - - proxymap',
    'postlog unix-dgram n - n - 1 postlogd'
  ]
  return `${rows.join('\n')}\n`
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
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

async function until(isSo: () => Promise<boolean>, log: () => Promise<string>): Promise<void> {
  const deadline = Date.now() + 60_000
  while (!(await isSo())) {
    if (Date.now() > deadline) assert.fail(`not in time:\n${await log()}`)
    await pause(20)
  }
}
