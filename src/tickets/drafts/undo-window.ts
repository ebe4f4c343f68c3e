import type { StaffActor } from '../../core/actor.ts'
import type { Db } from '../../core/db.ts'
import { settingsOf } from '../../core/settings/desk-settings.ts'

/**
 * For how many seconds a reply can be taken back that says so or not; 0: it goes at once. That of an API token always does: what waits is sent with all
 * that its writer may, and in their name alone.
 */
export async function undoSeconds(db: Db, { token }: StaffActor, undo: 0 | 1 | undefined): Promise<number> {
  return undo && !token ? (await settingsOf(db)).settings.undo_send_seconds : 0
}
