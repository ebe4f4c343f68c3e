import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { chmod, chown, mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after } from 'node:test'
import { freePort } from './free-port.ts'
import { certificatePath, keyPath } from './mail-server.ts'
import { until } from './until.ts'

const program = '/usr/sbin/dovecot'
const nobody = 65534

/** Why no Dovecot can be started here; undefined where one can. */
export function whyNoDovecot(): string | undefined {
  if (!existsSync(program)) return 'Dovecot is not installed here'
  return process.getuid!() === 0 ? undefined : 'Dovecot can only be started by root'
}

/** Runs a Dovecot of our own, for any user with the password s3cret. It ends with the test. */
export async function dovecot() {
  const folder = await mkdtemp(join(tmpdir(), 'deskline-dovecot-'))
  await chmod(folder, 0o755)
  const mail = join(folder, 'mail')
  await mkdir(mail)
  await chown(mail, nobody, nobody)
  const [port, securePort, loginPort] = [await freePort(), await freePort(), await freePort()]
  await writeFile(join(folder, 'dovecot.conf'), settings(folder, { port, securePort, loginPort }))
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
    /** Where another server, such as Postfix, asks who somebody is (SASL). */
    loginPort,
    /** The folder with a Maildir for each user. */
    mail,
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

function settings(folder: string, { port, securePort, loginPort }: Record<string, number>): string {
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
service auth {
  inet_listener {
    address = 127.0.0.1
    port = ${loginPort}
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
