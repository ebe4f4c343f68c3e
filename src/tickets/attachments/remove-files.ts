import { prepared } from '../../core/db.ts'
import type { Services } from '../../core/services.ts'

const batchSize = 500

/** Permanently removes files whose rows were deleted. The database has recorded their paths: the next sweep retries failures. */
export async function removeFiles({ db, files }: Pick<Services, 'db' | 'files'>, paths: string[]): Promise<void> {
  if (paths.length === 0) return
  await files.discard(paths.map(path => ({ path })))
  await forgetRemoved(db, { paths })
}

/** Removes the files whose paths the database recorded when their rows were deleted. */
export async function removeRecordedFiles(services: Pick<Services, 'db' | 'files'>): Promise<void> {
  while (true) {
    const noted = await notedFiles(services.db, {})
    await removeFiles(
      services,
      noted.map(({ file_path }) => file_path)
    )
    if (noted.length < batchSize) return
  }
}

const notedFiles = prepared(db => db.selectFrom('removed_files').select('file_path').limit(batchSize))

const forgetRemoved = prepared((db, p: { paths: string[] }) =>
  db.deleteFrom('removed_files').where('file_path', '=', eb => eb.fn.any(eb.val(p.paths)))
)
