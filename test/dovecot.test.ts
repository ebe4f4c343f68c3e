import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { chmod, chown, mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { keepFetching } from '../src/intake/mailbox/keep-fetching.ts'
import { checkMailbox } from '../src/intake/mailbox/test-mailbox.ts'
import { imapAddresses } from '../src/platform/mail/imap-address.ts'
import { bootDesk } from './support/desk.ts'
import { freePort } from './support/free-port.ts'
import { certificatePath, keyPath } from './support/mail-server.ts'
import { aMail } from './support/mails.ts'
import { until } from './support/until.ts'

const program = '/usr/sbin/dovecot'
const nobody = 65534

test('a real Dovecot, by TLS, by STARTTLS and as it is: mails are taken as they arrive, and marked, moved or deleted there', async context => {
  if (!existsSync(program)) return context.skip('Dovecot is not installed here')
  if (process.getuid!() !== 0) return context.skip('Dovecot can only be started by root')
  setDefaultCACertificates([...getCACertificates('default'), await readFile(certificatePath, 'utf8')])
  const { port, securePort, deliver, filesOf, log } = await dovecot()
  const desk = await bootDesk({ connections: 6 })
  const IMAP_URL = imapAddresses(
    `imaps://seen:s3cret@localhost:${securePort}/INBOX,
     imap://move:s3cret@localhost:${port}/INBOX?taken=move:Taken&tls=required,
     imap://delete:s3cret@127.0.0.1:${port}/INBOX?taken=delete`
  )
  const services = { ...desk.services, config: { ...desk.services.config, IMAP_URL, IMAP_POLL_SECONDS: 3_600 } }
  const end = new AbortController()
  await deliver('seen', aMail({ From: 'before@dovecot.example' }))
  const { isUsable, sentence } = await checkMailbox(services.config, IMAP_URL[0]!, undefined)
  assert.deepEqual(
    [isUsable, sentence],
    [true, 'localhost lets seen in: INBOX holds 1 mails, of which 1 are unread'],
    await log()
  )
  const fetching = keepFetching(services, end.signal)
  after(async () => {
    end.abort()
    await fetching
  })
  const taken = async () =>
    (await desk.db.selectFrom('inbound_mails').where('state', '=', 'ticket').select('sender').execute())
      .map(({ sender }) => sender!.split('@')[0])
      .toSorted()
  const looked = async () =>
    (await desk.db.selectFrom('mailboxes').where('looked_at', 'is not', null).select('id').execute()).length

  await until(async () => (await looked()) === 3 && (await taken()).length === 1, log)
  // They idle now: what arrives is told at once, an hour before the next look.
  for (const user of ['seen', 'move', 'delete']) await deliver(user, aMail({ From: `${user}@dovecot.example` }))
  await until(async () => (await taken()).length === 4, log)

  assert.deepEqual(await taken(), ['before', 'delete', 'move', 'seen'])
  await until(async () => (await filesOf('seen', 'cur')).filter(name => name.endsWith('S')).length === 2, log)
  await until(async () => (await filesOf('delete', 'cur', 'new')).length === 0, log)
  await until(async () => (await filesOf('move', 'cur', 'new')).length === 0, log)
  assert.equal((await filesOf('move', '.Taken/cur', '.Taken/new')).length, 1)
  // Which of them came encrypted, by the word of the server.
  const logins = (await log()).split('\n').filter(line => line.includes('Login: user=<move>'))
  assert.ok(logins.length > 0 && logins.every(line => line.includes(', TLS')), await log())
})

/** Runs a Dovecot of our own, for any user with the password s3cret. It ends with the test. */
async function dovecot() {
  const folder = await mkdtemp(join(tmpdir(), 'deskline-dovecot-'))
  await chmod(folder, 0o755)
  const mail = join(folder, 'mail')
  await mkdir(mail)
  await chown(mail, nobody, nobody)
  const [port, securePort] = [await freePort(), await freePort()]
  await writeFile(join(folder, 'dovecot.conf'), settings(folder, port, securePort))
  const child = spawn(program, ['-F', '-c', join(folder, 'dovecot.conf')], { stdio: 'ignore' })
  const ended = once(child, 'exit')
  after(async () => {
    child.kill('SIGTERM')
    await ended
    await rm(folder, { recursive: true, force: true })
  })
  const log = () => readFile(join(folder, 'log'), 'utf8').catch(() => '')
  await until(async () => (await log()).includes('starting up'), log)
  let count = 0

  return {
    port,
    securePort,
    log,
    /** As a delivery agent does: whole, under a name that nobody has. */
    async deliver(user: string, raw: string): Promise<void> {
      const box = join(mail, user)
      for (const name of ['', 'tmp', 'new', 'cur']) {
        await mkdir(join(box, name), { recursive: true })
        await chown(join(box, name), nobody, nobody)
      }
      const name = `${Date.now()}.${++count}.localhost`
      await writeFile(join(box, 'tmp', name), raw)
      await chown(join(box, 'tmp', name), nobody, nobody)
      await rename(join(box, 'tmp', name), join(box, 'new', name))
    },
    async filesOf(user: string, ...folders: string[]): Promise<string[]> {
      return (await Promise.all(folders.map(name => readdir(join(mail, user, name)).catch(() => [])))).flat()
    }
  }
}

function settings(folder: string, port: number, securePort: number): string {
  return `protocols = imap
listen = 127.0.0.1
base_dir = ${folder}/run
state_dir = ${folder}/state
log_path = ${folder}/log
ssl = yes
ssl_cert = <${certificatePath}
ssl_key = <${keyPath}
disable_plaintext_auth = no
auth_mechanisms = plain
mail_location = maildir:${folder}/mail/%u
passdb {
  driver = static
  args = password=s3cret
}
userdb {
  driver = static
  args = uid=${nobody} gid=${nobody} home=${folder}/mail/%u
}
first_valid_gid = 1
service imap-login {
  chroot =
  inet_listener imap {
    port = ${port}
  }
  inet_listener imaps {
    port = ${securePort}
    ssl = yes
  }
}
service anvil {
  chroot =
}
service stats {
  chroot =
}
`
}
