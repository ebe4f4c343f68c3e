import { type Static, type TObject, Type } from 'typebox'
import { mailboxFields } from './mailbox-fields.ts'

const { name, address, deptid, auth, imap, smtp, oauth, ...others } = mailboxFields

/** What creates a mailbox. */
export const NewMailbox = Type.Object({
  name,
  address,
  deptid,
  imap,
  smtp,
  auth: Type.Optional(auth),
  oauth,
  ...optional(others)
})
export type NewMailbox = Static<typeof NewMailbox>

/** What changes one: only what is given. */
export const MailboxChanges = Type.Object({
  ...optional({ name, address, deptid, auth }),
  imap,
  smtp,
  oauth,
  ...optional(others)
})
export type MailboxChanges = Static<typeof MailboxChanges>

function optional<P extends TObject['properties']>(properties: P) {
  return Type.Partial(Type.Object(properties)).properties
}
