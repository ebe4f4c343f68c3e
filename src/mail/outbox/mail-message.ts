import { createHash } from 'node:crypto'
import { buffer } from 'node:stream/consumers'
import { sql } from 'kysely'
import { type Db, prepared } from '../../core/db.ts'
import type { Services } from '../../core/services.ts'
import type { OutboxRow } from '../../core/tables/outbox.ts'
import type { MailAttachment, MailMessage } from '../../platform/mail/mail.ts'
import { logoWithDigest } from './brand.ts'
import { type EmailContent, withLeftOutFiles } from './compose-email.ts'
import { refOf, type SentFile, type StoredContent } from './content.ts'
import { logoContentId, withoutLogo } from './email-page.ts'
import { pictureContentId, withoutPictures } from './pictures.ts'

type Composer = Pick<Services, 'config' | 'db' | 'files' | 'log'>
export type QueuedEmail = Pick<OutboxRow, 'id' | 'recipient' | 'request_id' | 'created_at'>

/** The e-mail of a row as it is sent now. `withFiles`: with its files, as far as allowed; else it says where they are. */
export async function mailMessageOf(
  services: Composer,
  { id, recipient: to, request_id: requestId, created_at: date }: QueuedEmail,
  content: StoredContent & EmailContent,
  { withFiles }: { withFiles: boolean }
): Promise<MailMessage> {
  const { config, db } = services
  const { hostname } = new URL(config.BASE_URL)
  const { attached, leftOut } = await filesOf(services, withFiles ? (content.files ?? []) : [])
  const instead = withFiles ? leftOut : (content.files ?? [])
  const { subject, text, html } = withLeftOutFiles(
    content,
    instead.map(({ label, link }) => (link === undefined ? label : { label, link }))
  )
  const logo = content.logo ? await logoOf(db, content.logo) : undefined
  const attachments = [...attached.map(file => shownIn(html, file)), ...(logo ? [logo] : [])]
  const shown = withoutPictures(html, instead)
  return {
    ...idsOf(content, `<${refOf(content, id)}@${hostname}>`, hostname),
    from: content.from ?? config.MAIL_FROM,
    replyTo: content.replyTo ?? config.MAIL_REPLY_TO,
    to,
    ...(content.shownTo ? { shownTo: content.shownTo } : {}),
    ...(content.shownCc ? { shownCc: content.shownCc } : {}),
    subject,
    text,
    html: content.logo && !logo ? withoutLogo(shown) : shown,
    headers: {
      ...(content.isPersonal ? {} : automaticHeaders),
      ...(requestId ? { 'X-Request-Id': requestId } : {}),
      ...unsubscribeHeaders(content)
    },
    ...(attachments.length > 0 ? { attachments } : {}),
    date
  }
}

/** A file that the HTML shows as a picture gets the name by which it does so. */
function shownIn(html: string, { id, ...file }: MailAttachment & { id: number }): MailAttachment {
  const contentId = pictureContentId({ id })
  return html.includes(`"cid:${contentId}"`) ? { ...file, contentId } : file
}

// Prevents automatic replies: RFC 3834, and a header for Exchange.
const automaticHeaders = { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All' }

function unsubscribeHeaders({ unsubscribeUrl }: StoredContent): Record<string, string> {
  if (!unsubscribeUrl) return {}
  return { 'List-Unsubscribe': `<${unsubscribeUrl}>`, 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' }
}

/** An e-mail in a thread replies to the last mail there that its recipient has written, else to the first one, whether or not they got that. */
function idsOf({ thread, references }: StoredContent, messageId: string, hostname: string) {
  const first = thread && !thread.opens ? [`<${thread.id}@${hostname}>`] : []
  const all = references?.length ? references : first
  return all.length === 0 ? { messageId } : { messageId, inReplyTo: all.at(-1)!, references: all.join(' ') }
}

/** The files that may be sent: scanned and found clean, unchanged since they were stored, and not of a ticket in the trash. */
async function filesOf(
  { db, files, log }: Composer,
  wanted: readonly SentFile[]
): Promise<{ attached: (MailAttachment & { id: number })[]; leftOut: SentFile[] }> {
  if (wanted.length === 0) return { attached: [], leftOut: [] }
  const rows = await sendableFiles(db, { ids: wanted.map(({ id }) => id) })
  if (rows.some(({ scan_state }) => scan_state === 'pending'))
    throw new Error('A file of this e-mail is still being checked')
  const attached: (MailAttachment & { id: number })[] = []
  const leftOut: SentFile[] = []
  for (const file of wanted) {
    const row = rows.find(({ id }) => id === file.id)
    const opened = row && (await files.open(row.file_path))
    const content = opened && (await buffer(opened.stream))
    if (row && content && createHash('sha256').update(content).digest('hex') === row.sha256) {
      attached.push({ id: file.id, name: row.file_name, type: row.file_type, content })
    } else {
      log.warn(
        { attachmentId: file.id },
        'A file was not attached to its e-mail: it is missing, damaged or not scanned clean'
      )
      leftOut.push(file)
    }
  }
  return { attached, leftOut }
}

const sendableFiles = prepared((db, p: { ids: readonly number[] }) =>
  db
    .selectFrom('ticket_attachments as file')
    .leftJoin('side_messages as aside', 'aside.id', 'file.side_message_id')
    .leftJoin('side_conversations as conversation', 'conversation.id', 'aside.conversation_id')
    .innerJoin('tickets', join =>
      join.on(({ eb, fn }) => eb('tickets.id', '=', fn.coalesce('file.ticket_id', 'conversation.ticket_id')))
    )
    .where('file.id', '=', sql<number>`any(${p.ids}::bigint[])`)
    .where(({ or, eb, and }) =>
      or([
        eb('file.scan_state', '=', 'clean'),
        // A third party has no other way to the file: the e-mail waits for the scan.
        and([eb('file.scan_state', '=', 'pending'), eb('file.side_message_id', 'is not', null)])
      ])
    )
    .where('tickets.trashed_at', 'is', null)
    .select(['file.id', 'file.file_name', 'file.file_type', 'file.file_path', 'file.sha256', 'file.scan_state'])
)

async function logoOf(db: Db, digest: string): Promise<MailAttachment | undefined> {
  const logo = await logoWithDigest(db, digest)
  if (!logo) return undefined
  const { content, type } = logo
  return { name: `logo.${type.replace('image/', '')}`, type, content, contentId: logoContentId(digest) }
}
