import { execFile } from 'node:child_process'
import { chmod, chown, lchown, readdir, readFile, stat } from 'node:fs/promises'
import { userInfo } from 'node:os'
import { join } from 'node:path'
import { type Binaries, copyBinaries } from './binaries.ts'
import { EmbeddedError } from './error.ts'
import { type Identity, programEnvironment } from './process.ts'

/**
 * PostgreSQL refuses to run as root. Started by root it runs in a user namespace where root has another id: files stay root's, and folders that
 * only root may enter work. If that is not permitted, as in most containers, it runs as an existing user. A cluster keeps the user who owns it.
 * We never create users. Returns programs which that user can read.
 */
export async function chooseIdentity(dataDir: string, cluster: string, binaries: Binaries) {
  for (const identity of await candidates(dataDir, cluster)) {
    let answer = await probe(identity, dataDir, binaries)
    if (answer === 'no entry' && identity.uid !== undefined && (await openFor(identity, dataDir))) {
      answer = await probe(identity, dataDir, binaries)
    }
    if (answer === 'works') return { identity, binaries }
    if (answer === 'programs fail') {
      const copy = await copyBinaries(binaries, dataDir)
      if ((await probe(identity, dataDir, copy)) === 'works') return { identity, binaries: copy }
    }
  }
  throw new EmbeddedError(
    process.getuid?.() === 0
      ? `PostgreSQL does not run as root, and on ${dataDir} neither a user namespace nor another user could run it: ` +
          'start Deskline as an ordinary user, or set DATABASE_URL to a PostgreSQL server of your own.'
      : `The embedded PostgreSQL cannot run on ${dataDir} on this system: set DATABASE_URL to a PostgreSQL server of your own.`
  )
}

/** Makes the user who runs the server the owner of a folder and its contents. */
export async function changeOwner(identity: Identity, path: string): Promise<void> {
  const { uid } = await stat(path)
  if (uid === identity.owner) return
  for (const entry of await readdir(path, { recursive: true }))
    await lchown(join(path, entry), identity.owner, identity.group)
  await chown(path, identity.owner, identity.group)
}

async function candidates(dataDir: string, cluster: string): Promise<Identity[]> {
  const [uid, gid] = [process.getuid!(), process.getgid!()]
  const self = { prefix: [], owner: uid, group: gid }
  const owner = await stat(cluster).catch(() => undefined)

  if (uid !== 0) {
    if (owner && owner.uid !== uid) {
      throw new EmbeddedError(
        `The database in ${cluster} belongs to another user (number ${owner.uid}): ` +
          'start Deskline as that user, or set DATA_DIR to another folder.'
      )
    }
    // initdb requires a user name, which containers started with an arbitrary user id do not have.
    return hasName() ? [self] : [await namespace(self), self]
  }

  if (owner && owner.uid !== 0) return [asUser(owner.uid, owner.gid)]
  const users = await knownUsers()
  const folder = await stat(dataDir)
  const others = [
    users.find(user => user.uid === folder.uid),
    ...['postgres', 'nobody'].map(name => users.find(user => user.name === name))
  ]
  return [await namespace(self), ...others.filter(user => user !== undefined).map(user => asUser(user.uid, user.gid))]
}

/** Inside the namespace our files belong to a user with a name, because initdb requires one; 1000 is the most common id. */
async function namespace(self: Identity): Promise<Identity> {
  const users = await knownUsers()
  const user = users.find(user => user.uid === 1000) ?? users[0] ?? { uid: 1000, gid: 1000 }
  return { ...self, prefix: ['unshare', '--user', `--map-user=${user.uid}`, `--map-group=${user.gid}`] }
}

function asUser(uid: number, gid: number): Identity {
  return { prefix: [], uid, gid, owner: uid, group: gid }
}

async function knownUsers() {
  const lines = (await readFile('/etc/passwd', 'utf8').catch(() => '')).split('\n').map(line => line.split(':'))
  return lines
    .map(([name, , uid, gid]) => ({ name, uid: Number(uid), gid: Number(gid) }))
    .filter(user => user.uid > 0 && user.gid >= 0)
}

function hasName(): boolean {
  try {
    return userInfo().username !== ''
  } catch {
    return false
  }
}

type Answer = 'works' | 'refused' | 'no entry' | 'programs fail'

function probe(identity: Identity, dataDir: string, binaries: Binaries): Promise<Answer> {
  const script = 'cd "$1" || exit 3; "$2" --version && "$3" --version || exit 4'
  const [command = '', ...words] = [
    ...identity.prefix,
    '/bin/sh',
    '-c',
    script,
    'sh',
    dataDir,
    binaries.postgres,
    binaries.initdb
  ]
  const options = { uid: identity.uid, gid: identity.gid, cwd: '/', env: programEnvironment(), timeout: 60_000 }
  return new Promise(resolve => {
    try {
      execFile(command, words, options, error => {
        if (!error) resolve('works')
        else if (error.code === 3) resolve('no entry')
        else resolve(error.code === 4 ? 'programs fail' : 'refused')
      })
    } catch {
      resolve('refused')
    }
  })
}

/** Lets the user pass through root's data folder, by its group and without read permission; folders above stay as they are. */
async function openFor(identity: Identity, dataDir: string): Promise<boolean> {
  const folder = await stat(dataDir)
  if (folder.uid !== 0) return false
  await chown(dataDir, 0, identity.group)
  await chmod(dataDir, (folder.mode & 0o707) | 0o010)
  return true
}
