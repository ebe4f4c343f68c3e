import { type FileHandle, mkdtemp, open, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough, type Readable } from 'node:stream'
import { sql } from 'kysely'
import type { StaffActor } from '../actor.ts'
import { managedClient } from '../clients/managed-client.ts'
import { doerOf } from '../history/doer.ts'
import { record } from '../history/record.ts'
import type { Caller } from '../kit/endpoint.ts'
import { type ArchiveWriter, archiveWriter } from '../lib/write-archive.ts'
import { type Db, transaction } from '../platform/db/open.ts'
import type { Services } from '../services.ts'
import { downloadLink, isSigned } from '../tickets/download-links.ts'
import { clientData, fileInArchive } from './client-data.ts'

/** A link to the archive of a client, for some minutes and for anybody who has it. Throws `ClientNotFound`. */
export async function exportLink(
  services: Services,
  actor: StaffActor,
  caller: Caller,
  id: number
): Promise<{ url: string; expires_in: number }> {
  return await transaction(services.db, async db => {
    await managedClient(db, id)
    await record(services, db, doerOf(actor, caller), { action: 'client.exported', target: { type: 'client', id } })
    return downloadLink(services, pathOf(id))
  })
}

/** The client whose archive this path and signed query are for, if they are. */
export function exportedClient(services: Services, id: string, query: object): number | undefined {
  return /^[1-9]\d{0,15}$/.test(id) && isSigned(services, pathOf(id), query) ? Number(id) : undefined
}

function pathOf(id: number | string): string {
  return `/exports/clients/${id}`
}

/**
 * All that is stored of a client as a gzipped tar: `data.json` and the files, at constant memory. What fails before the first byte is
 * thrown; later the stream is destroyed, so that nobody takes a part for the whole. Throws `ClientNotFound`.
 */
export async function exportClient(services: Services, id: number): Promise<Readable> {
  const data = await dataFile(services, id)
  const archive = new PassThrough()
  writeArchive(services, id, data, archiveWriter(archive, services.clock.now())).catch(error =>
    services.log.warn({ err: error, clientId: id }, 'An export was not delivered whole')
  )
  return archive
}

async function writeArchive(services: Services, id: number, data: FileHandle, archive: ArchiveWriter): Promise<void> {
  try {
    const { size } = await data.stat()
    await archive.addStream('data.json', size, data.createReadStream({ start: 0, autoClose: false }))
    const missing: string[] = []
    for await (const { name, path, sizeBytes } of filesOf(services.db, id)) {
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
 * The data in a file, since an archive wants to know its size beforehand; read from one snapshot. The file has no name by the time it
 * is answered: whatever happens, nothing of it is left behind.
 */
async function dataFile({ db, clock }: Services, id: number): Promise<FileHandle> {
  const folder = await mkdtemp(join(tmpdir(), 'deskline-export-'))
  let file: FileHandle | undefined
  try {
    file = await open(join(folder, 'data.json'), 'wx+', 0o600)
    const data = file
    const snapshot = db.transaction().setIsolationLevel('repeatable read').setAccessMode('read only')
    await snapshot.execute(async db => {
      await managedClient(db, id)
      await data.writeFile(clientData(db, id, clock.now()))
    })
    return data
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
async function* filesOf(db: Db, client: number): AsyncGenerator<ArchivedFile> {
  for (let after = 0; ; ) {
    const { rows } = await sql<ArchivedFile>`
      select ticket_attachments.id, ${fileInArchive} as name, file_path as path, file_size as "sizeBytes"
      from ticket_attachments join tickets on tickets.id = ticket_id
      where client_id = ${client} and scan_state = 'clean' and ticket_attachments.id > ${after}
      order by ticket_attachments.id limit ${batchSize}`.execute(db)
    yield* rows
    if (rows.length < batchSize) return
    after = rows.at(-1)!.id
  }
}
