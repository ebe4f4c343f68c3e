import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import { before, describe, test } from 'node:test'
import { gunzipSync, gzipSync } from 'node:zlib'
import { codeAt, turnTwoFactorOn } from '../../../test/support/authenticator.ts'
import {
  anEmptyDestination,
  aTemporaryFolder,
  type ConfirmedTicket,
  digestOf,
  filesBelow,
  openTicketsUntilStopped,
  rowCountsOf
} from '../../../test/support/backups.ts'
import { bootDesk } from '../../../test/support/desk.ts'
import { brand, brandOf } from '../../../test/support/logos.ts'
import { aClient, anAdmin, type Person } from '../../../test/support/people.ts'
import { aFile, aTicket } from '../../../test/support/tickets.ts'
import { deliverMessage } from '../../mail/outbox/deliver-message.ts'
import { ArchiveFault } from './archive.ts'
import { backUpToFile } from './archive-file.ts'
import { backUp } from './back-up.ts'
import { checkArchive } from './check-archive.ts'
import { restore } from './restore.ts'

const desk = await bootDesk({ connections: 8 })
const [folder, places] = [await aTemporaryFolder(), await aTemporaryFolder()]

describe('a backup that was made under write load', () => {
  const archive = join(folder, 'desk.tar.gz')
  let ada: Person
  let secret: string
  let branding: Awaited<ReturnType<typeof brand>>
  let acknowledged: ConfirmedTicket[]
  let place: Awaited<ReturnType<typeof anEmptyDestination>>
  before(async () => {
    ada = await aClient(desk)
    secret = await turnTwoFactorOn(desk, ada)
    branding = await brand(desk, await anAdmin(desk))
    await desk.post('/api/auth/forgot-password', undefined, { email: ada.email })
    const load = await openTicketsUntilStopped(desk)
    await load.until(12)
    acknowledged = [...load.written]
    await backUpToFile(desk, archive)
    await load.stop()
    place = await anEmptyDestination(places)
    await restore(place, await checkArchive(archive))
  })

  test('has every ticket that was acknowledged before it began, and its files byte for byte', async () => {
    for (const { id, path, sha256 } of acknowledged) {
      const { rows } = await place.database.pool.query('select id from ticket_messages where ticket_id = $1', [id])
      assert.equal(rows.length, 1)
      assert.equal(await digestOf(place.files, path), sha256)
    }
  })

  test('is of one moment: counters agree with rows, rows with files, files with rows', async () => {
    const { pool } = place.database
    const torn = await pool.query(`
      select id from tickets where message_count <> (select count(*) from ticket_messages where ticket_id = tickets.id)
        or attachment_count <> (select count(*) from ticket_attachments where ticket_id = tickets.id)`)
    const clients = await pool.query(
      'select (select count(*) from clients) as there, (select sum(clients) from client_counts) as counted'
    )
    const named = await pool.query('select file_path, sha256 from ticket_attachments')

    assert.deepEqual(torn.rows, [])
    assert.equal(clients.rows[0].there, clients.rows[0].counted)
    for (const { file_path, sha256 } of named.rows) assert.equal(await digestOf(place.files, file_path), sha256)
    assert.equal((await filesBelow(place.dataDir)).length, named.rows.length)
  })

  test('serves again: the second factor is asked for and opens, an e-mail that waited goes out once, ids go on', async () => {
    const { database, jobs, files } = place
    const again = await bootDesk({ connections: 2, services: { db: database.db, pool: database.pool, jobs, files } })
    const login = { email: ada.email, password: ada.password }
    const challenge = await again.post('/api/auth/login', undefined, login)
    again.clock.turn(120)
    const code = codeAt(secret, again.clock.now())
    const opened = await again.post('/api/auth/login', undefined, { ...login, two_factor_code: code })
    await jobs.drain(database.db, {
      'deliver-message': ({ messageId }, attempt) => deliverMessage(again.services, messageId, attempt),
      sweep: async () => {}
    })
    const ticket = await aTicket(again, opened.data)

    assert.equal(challenge.data.requires_2fa, 1)
    assert.equal(opened.status, 200)
    assert.deepEqual(
      again.outbox.emails.map(mail => mail.to),
      [ada.email]
    )
    assert.ok(ticket.ticket_id > Math.max(...acknowledged.map(({ id }) => id)))
  })

  test('has the name and the logo of the desk', async () => {
    assert.deepEqual(await brandOf(place.database.db), branding)
  })

  test('is for its owner alone, and nothing else is left beside it', async () => {
    assert.equal((await stat(archive)).mode & 0o777, 0o600)
    assert.deepEqual(await readdir(folder), ['desk.tar.gz'])
  })
})

test('a missing and a damaged file are reported, and the rest is whole', async () => {
  const small = await bootDesk({ connections: 2 })
  const client = await aClient(small)
  const [missing, damaged] = await Promise.all(
    ['missing', 'damaged'].map(async name => {
      const ticket = await aTicket(small, client, {}, [aFile(`${name}.txt`, name), aFile('fine.txt', 'fine')])
      return ticket.attachments[0].file_path as string
    })
  )
  await rm(join(small.dataDir, missing!))
  await writeFile(join(small.dataDir, damaged!), 'gnawed at')
  const archive = join(folder, 'holes.tar.gz')

  const { files } = await backUpToFile(small, archive)
  const place = await anEmptyDestination(places)
  await restore(place, await checkArchive(archive))

  assert.deepEqual([files.count, files.missing, files.damaged], [3, [missing], [damaged]])
  assert.equal((await filesBelow(place.dataDir)).length, 3)
  assert.deepEqual(await rowCountsOf(place.connection), await rowCountsOf(small.connection))
})

test('small files are read side by side, and stand in the archive in their order', async () => {
  const small = await bootDesk({ connections: 2 })
  const client = await aClient(small)
  for (let at = 0; at < 4; at++) await aTicket(small, client, {}, [aFile(`${at}.txt`, `file ${at}`)])
  const path = join(folder, 'side-by-side.tar.gz')
  const opened: (() => void)[] = []
  const files = {
    ...small.services.files,
    // None opens before four are asked for.
    open: (path: string) =>
      new Promise<void>(resolve => {
        opened.push(resolve)
        if (opened.length === 4) for (const go of opened) go()
      }).then(() => small.services.files.open(path))
  }

  const digests = await backUpToFile({ ...small, services: { ...small.services, files } }, path)
  const archive = await checkArchive(path)

  assert.deepEqual([digests.files.count, archive.digests.files], [4, digests.files])
})

test('an archive that cannot be written to its end leaves nothing, and not even a former one is touched', async () => {
  const path = join(folder, 'former.tar.gz')
  await writeFile(path, 'the former one')
  const files = { ...desk.services.files, open: () => Promise.reject(new Error('the disk is broken')) }
  const full = new Writable({ write: (_chunk, _encoding, done) => done(new Error('the disk is full')) })

  await assert.rejects(backUpToFile(desk, path), /There is a file \S+ already: name another one, or say --force/)
  const broken = { ...desk, services: { ...desk.services, files } }
  await assert.rejects(backUpToFile(broken, path, { force: true }), /the disk is broken/)
  await assert.rejects(backUp(desk, full), /the disk is full/)
  await assert.rejects(backUpToFile(desk, join(folder, 'nowhere', 'x')), { message: /cannot be written \(ENOENT\)\.$/ })

  assert.equal(await readFile(path, 'utf8'), 'the former one')
  assert.deepEqual(
    (await readdir(folder)).filter(name => name.endsWith('.partial')),
    []
  )
})

describe('what is no whole backup', () => {
  const path = join(folder, 'spoilt.tar.gz')
  let archive: Buffer
  before(async () => {
    const small = await bootDesk({ connections: 2 })
    await aTicket(small, await aClient(small), {}, [aFile('noise.zip', randomBytes(50_000))])
    await backUpToFile(small, path)
    archive = await readFile(path)
  })

  test('is refused when it is cut, wherever that is', async () => {
    for (const share of [0, 0.01, 0.5, 0.9, 0.999]) {
      await writeFile(path, archive.subarray(0, Math.floor(archive.length * share)))

      await assert.rejects(checkArchive(path), ArchiveFault, `cut at ${share}`)
    }
  })

  test('is refused when its last entry is gone without a trace', async () => {
    const tar = gunzipSync(archive)
    const end = tar.lastIndexOf('digests.json\0')
    await writeFile(path, gzipSync(Buffer.concat([tar.subarray(0, end), Buffer.alloc(1024)])))

    await assert.rejects(checkArchive(path), /its end is missing/)
  })

  test('is refused when a byte of a row or of a file is another', async () => {
    const tar = gunzipSync(archive)
    for (const at of [tar.indexOf('The printer is on fire'), tar.lastIndexOf('uploads/tickets/') + 600]) {
      const changed = Buffer.from(tar)
      changed[at]! ^= 1
      await writeFile(path, gzipSync(changed))

      await assert.rejects(checkArchive(path), { message: `${path} is damaged: its content is not what was written.` })
    }
  })

  test('is told from none in one sentence', async () => {
    await writeFile(path, 'something else')

    await assert.rejects(checkArchive(path), { message: /^\S+ is not a whole backup of Deskline: .*\.$/ })
    await assert.rejects(checkArchive(`${path}.gone`), { message: `There is no file ${path}.gone.` })
  })
})
