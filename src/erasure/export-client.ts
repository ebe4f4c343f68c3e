import { type FileHandle, mkdtemp, open, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough, type Readable } from 'node:stream'
import { sql } from 'kysely'
import { holds, type Session, type StaffActor } from '../actor.ts'
import { act } from '../acts/act.ts'
import { managedClient } from '../clients/managed-client.ts'
import type { Db } from '../db.ts'
import { sequence } from '../events/read-events.ts'
import type { Caller } from '../kit/caller.ts'
import { failure } from '../kit/errors.ts'
import { type ArchiveWriter, archiveWriter } from '../lib/write-archive.ts'
import type { Services } from '../services.ts'
import { clientData, fileInArchive } from './client-data.ts'
import { exportUrl } from './export-links.ts'
import { ofTickets } from './stores.ts'
import { requireSightOfAll, ticketsOutOfSight } from './tickets-out-of-sight.ts'

export const NoSuchExport = failure(404, 'export_not_found', 'There is no such file')

/**
 * A link to the archive of a client, for some minutes. Throws `ClientNotFound`, and `TicketsOutOfSight` where there are tickets that
 * the actor does not see.
 */
export async function exportLink(
  services: Services,
  session: Session<StaffActor>,
  caller: Caller,
  id: number
): Promise<{ url: string; expires_in: number }> {
  return await act(services, { actor: session.actor, caller }, async act => {
    await managedClient(act.db, id)
    await requireSightOfAll(act.db, session.actor, id)
    act.happened({ kind: 'client.exported', subject: { type: 'client', id } })
    return exportUrl(services, session, id)
  })
}

/**
 * All that is stored of a client as a gzipped tar: `data.json` and the files, at constant memory. What fails before the first byte is
 * thrown; later the stream is destroyed, so that nobody takes a part for the whole. `actor` is who made the link, and is judged anew:
 * without a right to all of it there is no such file. Throws `ClientNotFound`, `NoSuchExport`.
 */
export async function exportClient(services: Services, actor: StaffActor, id: number): Promise<Readable> {
  if (!holds(actor, 'clients.edit')) throw NoSuchExport()
  await sequence(services)
  const snapshot = await readSnapshot(services, actor, id)
  const archive = new PassThrough()
  writeArchive(services, snapshot, archiveWriter(archive, services.clock.now())).catch(error =>
    services.log.warn({ err: error, clientId: id }, 'An export download was aborted')
  )
  return archive
}

/** What was there, and was judged, when the archive was begun; `lastFile` is the newest attachment of then. */
interface Snapshot {
  data: FileHandle
  tickets: readonly number[]
  lastFile: number
}

async function writeArchive(services: Services, snapshot: Snapshot, archive: ArchiveWriter): Promise<void> {
  const { data } = snapshot
  try {
    const { size } = await data.stat()
    await archive.addStream('data.json', size, data.createReadStream({ start: 0, autoClose: false }))
    const missing: string[] = []
    for await (const { name, path, sizeBytes } of filesOf(services.db, snapshot)) {
      const opened = await services.files.open(path)
      if (opened?.sizeBytes === sizeBytes) {
        await archive.addStream(name, sizeBytes, opened.stream)
        continue
      }
      opened?.stream.destroy()
      missing.push(name)
    }
    if (missing.length > 0) await archive.add('missing.json', JSON.stringify(missing))
    await archive.finish()
  } catch (error) {
    await archive.abort(error as Error)
    throw error
  } finally {
    await data.close()
  }
}

/**
 * The data in a file, since an archive wants to know its size beforehand, and which files belong to it: read from one snapshot, in which
 * it is judged whether the actor sees it all. The file has no name by the time it is answered: whatever happens, nothing of it is left.
 */
async function readSnapshot({ db, clock }: Services, actor: StaffActor, id: number): Promise<Snapshot> {
  const folder = await mkdtemp(join(tmpdir(), 'deskline-export-'))
  let file: FileHandle | undefined
  try {
    file = await open(join(folder, 'data.json'), 'wx+', 0o600)
    const data = file
    const snapshot = db.transaction().setIsolationLevel('repeatable read').setAccessMode('read only')
    return await snapshot.execute(async db => {
      await managedClient(db, id)
      const unseen = await ticketsOutOfSight(db, actor, id)
      if (unseen.tickets > 0) throw NoSuchExport()
      await data.writeFile(clientData(db, id, clock.now()))
      const { rows } = await sql<{ tickets: string[]; last: number }>`
        select array(select id from tickets where client_id = ${id}) as tickets,
          coalesce((select max(id) from ticket_attachments), 0) as last`.execute(db)
      return { data, tickets: rows[0]!.tickets.map(Number), lastFile: rows[0]!.last }
    })
  } catch (error) {
    await file?.close()
    throw error
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

interface ArchivedFile {
  id: number
  name: string
  path: string
  sizeBytes: number
}

const batchSize = 500

/** The files that may be given out, as long as they are there. */
async function* filesOf(db: Db, { tickets, lastFile }: Snapshot): AsyncGenerator<ArchivedFile> {
  for (let after = 0; ; ) {
    const { rows } = await sql<ArchivedFile>`
      select id, ${fileInArchive} as name, file_path as path, file_size as "sizeBytes" from ticket_attachments
      where ${ofTickets(tickets)} and scan_state = 'clean' and id > ${after} and id <= ${lastFile}
      order by id limit ${batchSize}`.execute(db)
    yield* rows
    if (rows.length < batchSize) return
    after = rows.at(-1)!.id
  }
}
