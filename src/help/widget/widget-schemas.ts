import { type Static, Type } from 'typebox'
import { Nullable, Timestamp } from '../../kit/schemas.ts'
import { timestamp } from '../../lib/time.ts'
import type { SecretDates } from './secrets.ts'

/** The secret itself is shown once, when it is made. */
export const WidgetView = Type.Object({
  secret_created_at: Nullable(Timestamp()),
  former_secret_until: Nullable(Timestamp())
})

export function widgetView({ created_at, former_until }: SecretDates): Static<typeof WidgetView> {
  return {
    secret_created_at: created_at && timestamp(created_at),
    former_secret_until: former_until && timestamp(former_until)
  }
}
