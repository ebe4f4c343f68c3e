import type { Db } from '../../core/db.ts'
import { settingsOf } from '../../core/settings/desk-settings.ts'

/** For how many seconds a reply can be taken back that says so or not; 0: it goes at once. */
export async function undoSeconds(db: Db, undo: 0 | 1 | undefined): Promise<number> {
  return undo ? (await settingsOf(db)).settings.undo_send_seconds : 0
}
