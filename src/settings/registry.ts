import { type Static, Type } from 'typebox'
import { Flag } from '../kit/schemas.ts'

/** What admins set while the desk runs. A new setting is a line here and one in `initially`; both types follow from it. */
export const DeskSettings = Type.Object({
  /** Staff without a second factor are let in only to turn it on. Read with each request of theirs by `actorOf`. */
  require_staff_2fa: Flag(0)
})
export type DeskSettings = Static<typeof DeskSettings>

/** As it is until an admin says otherwise. */
export const initially: DeskSettings = {
  require_staff_2fa: 0
}
