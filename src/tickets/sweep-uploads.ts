import { prepared } from '../platform/db/prepared.ts'
import type { Services } from '../services.ts'

/**
 * Removes the files that no ticket names: their request was cut short between storing them and committing. Only files older than
 * `olderThanMilliseconds` go, so that a request which is still at work keeps its own. Answers how many were removed.
 */
export async function sweepUploads({ db, files }: Services, olderThanMilliseconds: number): Promise<number> {
  return await files.sweep(async paths => {
    const known = await knownPaths(db, { paths })
    return new Set(known.map(attachment => attachment.file_path))
  }, olderThanMilliseconds)
}

const knownPaths = prepared((db, p: { paths: string[] }) =>
  db
    .selectFrom('ticket_attachments')
    .where('file_path', '=', eb => eb.fn.any(eb.val(p.paths)))
    .select('file_path')
)
