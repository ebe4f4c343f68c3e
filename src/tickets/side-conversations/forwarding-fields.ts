import { type Static, Type } from 'typebox'
import { Format } from '../../core/formatted-text/format.ts'
import { Flag, Id, Text } from '../../kit/schemas.ts'
import type { StagedFile } from '../../platform/files/file-store.ts'
import { Message, Subject } from '../ticket/schemas.ts'
import type { Forwarding } from './forward-ticket.ts'

const Addresses = (minItems: number) =>
  Type.Array(Text(320, 'Sungrid <service@sungrid.example>'), { minItems, maxItems: 10 })
const Ids = Type.Optional(Type.Array(Id(12), { maxItems: 50, examples: [[12, 13]] }))

/** To whom something is forwarded, what is written, and what of the ticket goes along. */
export const forwardingFields = {
  to: Addresses(1),
  cc: Type.Optional(Addresses(0)),
  message_ids: Ids,
  attachment_ids: Ids,
  subject: Subject,
  message: Message,
  format: Format,
  waits: Type.Optional(Flag(1)),
  hide_client: Type.Optional(Flag(1))
}

const Given = Type.Object(forwardingFields)

export function forwardingIn(
  {
    to,
    cc = [],
    subject,
    message,
    format,
    waits,
    hide_client,
    message_ids = [],
    attachment_ids = []
  }: Static<typeof Given>,
  uploads: StagedFile[]
): Forwarding {
  const chosen = { messageIds: message_ids, attachmentIds: attachment_ids, uploads }
  return { to, cc, subject, message, format, ...chosen, waits: waits === 1, hidesClient: hide_client !== 0 }
}
