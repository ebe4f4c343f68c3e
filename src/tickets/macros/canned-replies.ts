import { type Static, Type } from 'typebox'
import { Flag, Id, LongText, Name, Nullable, OutputText, Timestamp } from '../../kit/schemas.ts'
import { Version } from '../../kit/versions.ts'
import { bit } from '../../lib/bit.ts'
import { timestamp } from '../../lib/time.ts'
import type { Macro } from './macros.ts'

export const cannedReplyFields = {
  title: Name(100, 'Turn it off and on'),
  text: LongText(20_000, 'Dear {{client.first_name}}, please turn it off and on again. {{staff.first_name}}')
}

/** A macro without actions, by the names that canned replies have always had. */
export const CannedReplyView = Type.Object({
  id: Id(),
  title: OutputText('Turn it off and on'),
  text: OutputText('Dear {{client.first_name}}, please turn it off and on again. {{staff.first_name}}'),
  is_shared: Flag(0),
  staff_id: Nullable(Id(2)),
  version: Version,
  created_at: Timestamp(),
  updated_at: Timestamp()
})

export function cannedReplyView(macro: Macro): Static<typeof CannedReplyView> {
  const { id, name: title, reply_text: text, staff_id, version } = macro
  return {
    ...{ id, title, text, staff_id, version },
    is_shared: bit(staff_id === null),
    created_at: timestamp(macro.created_at),
    updated_at: timestamp(macro.updated_at)
  }
}
