import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { chmod, cp, mkdir, readdir, rm, truncate, writeFile } from 'node:fs/promises'
import { createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import { administer, type InstallationFactory, type TestInstallation } from './installations.ts'
import { startRefused, startService } from './service.ts'
import { withInstallation } from './with-installation.ts'

const refusedWithinSeconds = 20

interface Breakage {
  what: string
  /** Breaks a copy of a sound data folder. */
  break(dataDir: string): Promise<void>
  /** The one sentence. */
  sentence: RegExp
}

const damaged = /^The embedded database on \S+\/postgres (did not start|started but cannot be used) \(.*\)\.$/

const breakages: Breakage[] = [
  { what: 'no log of changes', break: dataDir => emptied(file(dataDir, 'pg_wal')), sentence: damaged },
  {
    what: 'a version that is none',
    break: dataDir => writeFile(file(dataDir, 'PG_VERSION'), 'eighteen\n'),
    sentence: /^The database in \S+\/postgres is damaged \(PG_VERSION names no version\): restore it from a backup\.$/
  },
  {
    what: 'uploads that are a file',
    break: async dataDir => {
      await rm(join(dataDir, 'uploads'), { recursive: true, force: true })
      await writeFile(join(dataDir, 'uploads'), '')
    },
    sentence: /^\S+\/uploads is not a folder: move it away\.$/
  },
  {
    what: 'a key file that is a folder',
    break: async dataDir => {
      await rm(join(dataDir, 'app.key'))
      await mkdir(join(dataDir, 'app.key'))
    },
    sentence: /^The key file \S+\/app\.key cannot be read \(EISDIR\): .*\.$/
  },
  {
    what: 'a key file of noise',
    break: dataDir => writeFile(join(dataDir, 'app.key'), randomBytes(64)),
    sentence: /^The key file \S+\/app\.key is damaged: .*\.$/
  },
  {
    what: 'a control file cut short',
    break: dataDir => truncate(file(dataDir, 'global/pg_control'), 100),
    sentence: damaged
  },
  { what: 'no control file', break: dataDir => rm(file(dataDir, 'global/pg_control')), sentence: damaged },
  {
    what: 'a control file of noise',
    break: dataDir => writeFile(file(dataDir, 'global/pg_control'), randomBytes(8192)),
    sentence: damaged
  },
  { what: 'no relation map', break: dataDir => rm(file(dataDir, 'global/pg_filenode.map')), sentence: damaged },
  { what: 'no commit status', break: dataDir => emptied(file(dataDir, 'pg_xact')), sentence: damaged },
  { what: 'no databases', break: dataDir => emptied(file(dataDir, 'base')), sentence: damaged },
  {
    what: 'a catalogue cut short',
    break: async dataDir => {
      for (const name of await readdir(file(dataDir, 'base'))) await truncate(file(dataDir, `base/${name}/1259`), 5_000)
    },
    sentence: damaged
  },
  {
    what: 'settings of the server that are none',
    break: dataDir => writeFile(file(dataDir, 'postgresql.conf'), 'this is = not = a setting\n'),
    sentence: damaged
  },
  {
    what: 'rules of access that are none',
    break: dataDir => writeFile(file(dataDir, 'pg_hba.conf'), 'nonsense\n'),
    sentence: damaged
  },
  { what: 'a cluster open to all', break: dataDir => chmod(file(dataDir, ''), 0o777), sentence: damaged },
  {
    what: 'a lock that is a folder',
    break: async dataDir => {
      await rm(join(dataDir, 'serve.lock'))
      await mkdir(join(dataDir, 'serve.lock'))
    },
    sentence: /^Deskline cannot lock \S+\/serve\.lock .*\.$/
  }
]

/** Each damage to an installation is one clear sentence and exit code 1, and starting it again after repair works. */
export async function brokenInstallation(factory: InstallationFactory, count: number): Promise<string> {
  return await withInstallation(factory, async installation => {
    const sound = await startService(installation)
    assert.equal(await sound.stop(), 0)
    const played = breakages.slice(0, count)
    const slowest = await eachOf(played, async ({ what, break: damage, sentence }, at) => {
      const dataDir = `${installation.dataDir}-broken-${at}`
      try {
        await cp(installation.dataDir, dataDir, { recursive: true, preserveTimestamps: true })
        await chmod(join(dataDir, 'postgres'), 0o700)
        await damage(dataDir)
        return await oneSentence(installation, what, sentence, { DATA_DIR: dataDir })
      } finally {
        await rm(dataDir, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 })
      }
    })
    const again = await startService(installation)
    assert.equal(await again.stop(), 0)
    return `${played.length} damages, each one sentence and 1 within ${slowest.toFixed(1)} s`
  })
}

/** Three at a time; answers the largest of what they answer. */
async function eachOf<T>(cases: T[], play: (one: T, at: number) => Promise<number>): Promise<number> {
  const left = cases.entries()
  const answers: number[] = []
  const one = async () => {
    for (const [at, each] of left) answers.push(await play(each, at))
  }
  await Promise.all([one(), one(), one()])
  return Math.max(...answers)
}

/** Starts it and sees that it says this, and nothing else; answers after how many seconds. */
async function oneSentence(
  installation: TestInstallation,
  what: string,
  expected: RegExp,
  environment: Record<string, string>
): Promise<number> {
  const { how, sentences, seconds } = await startRefused(installation, environment)
  assert.equal(how, 1, `${what}: ${how}, ${sentences.join('\n')}`)
  assert.equal(sentences.length, 1, `${what}: ${sentences.join('\n')}`)
  assert.match(sentences[0]!, expected, what)
  assert.ok(seconds < refusedWithinSeconds, `${what}: refused after ${seconds} s`)
  return seconds
}

function file(dataDir: string, name: string): string {
  return join(dataDir, 'postgres', name)
}

async function emptied(folder: string): Promise<void> {
  for (const name of await readdir(folder)) await rm(join(folder, name), { recursive: true })
}

interface Misfit {
  what: string
  /** Settings that do not fit the database of the installation; `close` undoes what they took. */
  settings(
    installation: TestInstallation
  ): Promise<{ environment: Record<string, string>; close?: () => Promise<unknown> }>
  sentence: RegExp
}

const misfits: Misfit[] = [
  {
    what: 'a database that is not there',
    settings: installation => at(installation, address => (address.pathname = '/nowhere')),
    sentence: /^DATABASE_URL \S+\/nowhere .*"nowhere" does not exist.*\.$/
  },
  {
    what: 'a user who is not there',
    settings: installation => at(installation, address => (address.username = 'nobody')),
    sentence: /^DATABASE_URL .*"nobody" does not exist.*\.$/
  },
  {
    what: 'a user who may do nothing',
    settings: installation => asRole(installation, 'login'),
    sentence: /^DATABASE_URL .*permission denied.*\.$/
  },
  {
    what: 'a user who may not even enter',
    settings: installation => asRole(installation, 'nologin'),
    sentence: /^DATABASE_URL .*is not permitted to log in.*\.$/
  },
  {
    what: 'a user who has no connections left',
    settings: installation => asRole(installation, 'login connection limit 0'),
    sentence: /^DATABASE_URL .*too many connections.*\.$/
  },
  {
    what: 'a database that may only be read',
    settings: async installation => {
      const address = new URL(installation.environment.DATABASE_URL!)
      address.searchParams.set('options', '-c default_transaction_read_only=on')
      return { environment: { DATABASE_URL: address.href } }
    },
    sentence: /^DATABASE_URL .*read-only.*\.$/
  },
  {
    what: 'encryption that the server does not offer',
    settings: installation => at(installation, address => address.searchParams.set('sslmode', 'verify-full')),
    sentence: /^DATABASE_URL .*SSL.*\.$/
  },
  {
    what: 'a server that says nothing',
    settings: installation => listening(installation, () => {}),
    sentence: /^DATABASE_URL .*cannot be reached.*\.$/
  },
  {
    what: 'a server that is none of PostgreSQL',
    settings: installation => listening(installation, socket => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n')),
    sentence: /^DATABASE_URL .*\.$/
  }
]

/** Each setting that does not fit the served database is one clear sentence and exit code 1, without a password. */
export async function misfittingDatabase(factory: InstallationFactory): Promise<string> {
  return await withInstallation(factory, async installation => {
    const slowest = await eachOf(misfits, async ({ what, settings, sentence }) => {
      const { environment, close } = await settings(installation)
      try {
        return await oneSentence(installation, what, sentence, environment)
      } finally {
        await close?.()
      }
    })
    const sound = await startService(installation)
    assert.equal(await sound.stop(), 0)
    return `${misfits.length} misfits, each one sentence and 1 within ${slowest.toFixed(1)} s`
  })
}

async function at(installation: TestInstallation, change: (address: URL) => unknown) {
  const address = new URL(installation.environment.DATABASE_URL!)
  change(address)
  return { environment: { DATABASE_URL: address.href } }
}

async function asRole(installation: TestInstallation, rights: string) {
  const role = `misfit_${randomBytes(6).toString('hex')}`
  const { DATABASE_URL: url } = installation.environment
  await administer(url!, `create role ${role} ${rights}`)
  return {
    ...(await at(installation, address => (address.username = role))),
    close: () => administer(url!, `drop role ${role}`)
  }
}

async function listening(installation: TestInstallation, meet: (socket: Socket) => void) {
  const sockets = new Set<Socket>()
  const server = createServer(socket => {
    sockets.add(socket.on('error', () => {}))
    meet(socket)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  return {
    ...(await at(installation, address => (address.port = String(port)))),
    async close() {
      for (const socket of sockets) socket.destroy()
      server.close()
    }
  }
}
