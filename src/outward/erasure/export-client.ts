import { type FileHandle, mkdtemp, open, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough, type Readable } from 'node:stream'
import { sql } from 'kysely'
import { hasPermission, type Session, type StaffActor } from '../../core/actor.ts'
import { act } from '../../core/acts/act.ts'
import type { Db } from '../../core/db.ts'
import { sequence } from '../../core/events/read-events.ts'
import type { Services } from '../../core/services.ts'
import type { Caller } from '../../kit/caller.ts'
import { failure } from '../../kit/errors.ts'
import { type ArchiveWriter, archiveWriter } from '../../lib/write-archive.ts'
import { managedClient } from '../../people/clients/managed-client.ts'
import { clientData, fileInArchive } from './client-data.ts'
import { exportUrl } from './export-links.ts'
import { hiddenTickets, requireAllVisible } from './hidden-tickets.ts'
import { ofTickets } from './stores.ts'

export const NoSuchExport = failure(404, 'export_not_found', 'There is no such file')

/**
 * A link to a client's archive, valid for some minutes. Throws `ClientNotFound`, and `TicketsHidden` if there are tickets that the
 * actor does not see.
 */
export async function exportLink(
  services: Services,
  session: Session<StaffActor>,
  caller: Caller,
  id: number
): Promise<{ url: string; expires_in: number }> {
  return await act(services, { actor: session.actor, caller }, async act => {
    await managedClient(act.db, id)
    await requireAllVisible(act.db, session.actor, id)
    act.happened({ kind: 'client.exported', subject: { type: 'client', id } })
    return exportUrl(services, session, id)
  })
}

/**
 * All data stored about a client as a gzipped tar: `data.json` and the files, in constant memory. Errors before the first byte are thrown;
 * later ones destroy the stream, so that a partial archive is not taken for a whole. `actor` is who made the link, and is checked again:
 * without permission for all of it there is no such file. Throws `ClientNotFound`, `NoSuchExport`.
 */
export async function exportClient(services: Services, actor: StaffActor, id: number): Promise<Readable> {
  if (!hasPermission(actor, 'clients.edit')) throw NoSuchExport()
  await sequence(services)
  const snapshot = await readSnapshot(services, actor, id)
  const archive = new PassThrough()
  writeArchive(services, snapshot, archiveWriter(archive, services.clock.now())).catch(error =>
    services.log.warn({ err: error, clientId: id }, 'An export download was aborted')
  )
  return archive
}

/** The data and tickets that were checked when the archive was started; `lastFile` is the newest attachment then. */
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
 * The data as a file, since an archive needs its size beforehand, and the tickets whose files belong to it: read from one snapshot, in
 * which it is checked that the actor sees it all. The file is unlinked on return, so that nothing remains of it whatever happens.
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
      const unseen = await hiddenTickets(db, actor, id)
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

/** The files that may be sent, while they exist. */
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
