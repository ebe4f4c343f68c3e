import type { Config } from '../../core/config.ts'
import type { Db } from '../../core/db.ts'
import { locationOf, storedInstallationId } from '../../platform/db/installation-id.ts'
import { reasonOf } from '../../platform/db/wait-for-database.ts'
import { type LastSweep, remedyFor, sweepBlockedReason } from '../../tickets/attachments/sweep-uploads.ts'
import { lastSweep } from '../../tickets/attachments/watch-files.ts'
import { clusterFolder, fileStoreFor } from '../installation.ts'
import type { Finding } from './finding.ts'
import { counted, readableBytes } from './progress.ts'

const about = 'stored files'

/** Whether the files belong to this database, and what is in quarantine. */
export async function* checkFileOwner(config: Config, db: Db): AsyncGenerator<Finding> {
  try {
    const known = await storedInstallationId(db)
    const files = await fileStoreFor(config, known)
    const otherId = await files.otherOwner()
    const found = await lastSweep(db)
    const held: Pick<LastSweep, 'held' | 'otherId' | 'files' | 'unknown'> | undefined = otherId
      ? { held: 'another installation', otherId, files: 0, unknown: 0 }
      : found?.held === 'mostly unknown'
        ? found
        : undefined
    if (held) yield { verdict: 'fail', about, text: `${sweepBlockedReason(held)} ${remedyFor(held)}` }
    else if (known.location && known.location !== (await locationOf(db, clusterFolder(config)))) {
      yield { verdict: 'warn', about, text: elsewhere }
    } else if (found && found.foreign > 0) {
      const verdict = known.copiedFrom.length > 0 ? 'warn' : 'ok'
      yield {
        verdict,
        about,
        text: `${counted(found.foreign, 'file')} of other installations are left alone. ${remedyFor({})}`
      }
    } else yield { verdict: 'ok', about, text: 'they belong to this database' }

    const { files: count, bytes, oldest } = await files.quarantine()
    const since = oldest ? `, the oldest since ${oldest.toISOString()}` : ''
    const days = counted(config.FILE_QUARANTINE_DAYS, 'day')
    yield {
      verdict: 'ok',
      about: 'quarantine',
      text: `${counted(count, 'file')} (${readableBytes(bytes)}) that no ticket names${since}; removed after ${days}`
    }
  } catch (error) {
    yield { verdict: 'fail', about, text: reasonOf(error) }
  }
}

const elsewhere =
  'the database is a copy, or was moved by other means than "deskline move": from the next start on the files of the original ' +
  'are left alone, until "deskline adopt-files" says that they belong to this one'
