import type { Db } from '../../core/db.ts'
import { unindexedTexts } from '../../tickets/search/index-words.ts'
import type { Finding } from './finding.ts'

const lateSeconds = 60

/** Whether new texts are indexed. A search indexes missing ones itself, but only a limited number. */
export async function checkSearchIndex(db: Db): Promise<Finding> {
  const { texts, oldest_seconds } = await unindexedTexts(db)
  const isLate = oldest_seconds > lateSeconds
  return {
    verdict: isLate ? 'warn' : 'ok',
    about: 'words',
    text: isLate
      ? `${texts} texts wait to be found by the search, the oldest for ${Math.round(oldest_seconds)} s: no worker runs`
      : `${texts} texts wait to be found by the search`
  }
}
