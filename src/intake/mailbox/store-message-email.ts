import { sql } from 'kysely'
import { type Db, prepared } from '../../core/db.ts'
import type { InboundMailRow, MailPerson } from '../../core/tables/mails.ts'
import type { Mailbox } from '../../platform/mail-reading/addresses.ts'
import type { ReadMail } from '../../platform/mail-reading/read-mail.ts'
import { type MailedFile, type Omitted, withImages } from './mail-files.ts'

const maxHtmlCharacters = 500_000
const maxPeople = 100

/** Stores what an e-mail adds to a message beyond its new text. */
export async function storeMessageEmail(
  db: Db,
  given: {
    mail: Pick<InboundMailRow, 'id' | 'message_ref'>
    read: ReadMail
    files: readonly MailedFile[]
    omitted: readonly Omitted[]
    messageId: number
    linkedTicketId: number | null
    forwardedBy?: MailPerson | undefined
  }
): Promise<void> {
  const { mail, read, files, omitted, messageId, linkedTicketId, forwardedBy } = given
  const shown = withImages(read.html, files)
  // Their numbers are those of the outer mail.
  const html = forwardedBy ? (shown?.replace(/ data-remote="\d+"/g, '') ?? null) : shown
  await insertEmail(db, {
    message_id: messageId,
    mail_id: mail.id,
    message_ref: mail.message_ref,
    from_email: read.from?.email || null,
    from_name: read.from?.name ?? null,
    recipients: JSON.stringify({
      to: read.to.slice(0, maxPeople).map(person),
      cc: read.cc.slice(0, maxPeople).map(person)
    }),
    subject: read.subject,
    quoted: read.quoted,
    // Truncated HTML would be another text.
    html: html !== null && html.length <= maxHtmlCharacters ? html : null,
    is_automatic: read.automatic !== undefined,
    linked_ticket_id: linkedTicketId,
    forwarded_by: forwardedBy ? JSON.stringify(forwardedBy) : null,
    omitted: JSON.stringify(omitted)
  })
  const inline = files.filter(({ contentId }) => contentId !== undefined)
  if (inline.length > 0) {
    await nameImages(db, { paths: inline.map(({ path }) => path), ids: inline.map(({ contentId }) => contentId!) })
  }
}

function person({ name, email }: Mailbox): Mailbox {
  return { name, email }
}

interface NewEmail {
  message_id: number
  mail_id: number
  message_ref: string | null
  from_email: string | null
  from_name: string | null
  recipients: string
  subject: string
  quoted: string
  html: string | null
  is_automatic: boolean
  linked_ticket_id: number | null
  forwarded_by: string | null
  omitted: string
}

const insertEmail = prepared((db, p: NewEmail) =>
  db.insertInto('message_emails').values({
    message_id: p.message_id,
    mail_id: p.mail_id,
    message_ref: p.message_ref,
    from_email: p.from_email,
    from_name: p.from_name,
    recipients: p.recipients,
    subject: p.subject,
    quoted: p.quoted,
    html: p.html,
    is_automatic: p.is_automatic,
    linked_ticket_id: p.linked_ticket_id,
    forwarded_by: p.forwarded_by,
    omitted: p.omitted
  })
)

const nameImages = prepared((db, p: { paths: readonly string[]; ids: readonly string[] }) =>
  db
    .updateTable('ticket_attachments as file')
    .from(
      sql<{ path: string; content_id: string }>`unnest(${p.paths}::text[], ${p.ids}::text[])`.as<'image'>(
        sql`image(path, content_id)`
      )
    )
    .whereRef('file.file_path', '=', 'image.path')
    .set(eb => ({ content_id: eb.ref('image.content_id') }))
)
