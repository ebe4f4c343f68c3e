import type { Keys } from '../../core/keys.ts'
import type { EmailContent, TextContent } from './compose-email.ts'

/** The thread in which mail programs show an e-mail. `id` is what the Message-ID of its first e-mail is made of. */
export interface Thread {
  id: string
  /** Whether this is that first e-mail. */
  opens: boolean
}

/** The headers of an e-mail other than its subject, and its attachments. */
export interface EmailHeaders {
  thread?: Thread
  /** The Message-IDs, in angle brackets, of the mails before it, the oldest first; it replies to the last. */
  references?: readonly string[]
  /** The sender, if not MAIL_FROM. */
  from?: { name: string; address: string }
  /** Where replies go, if not to the usual address. */
  replyTo?: string
  /** The URL for one-click unsubscribe (RFC 8058). */
  unsubscribeUrl?: string
  /** Whom it names as its recipients, if others get copies of their own. */
  shownTo?: readonly string[]
  shownCc?: readonly string[]
  /** A person wrote it to the reader: it is not automatic mail. */
  isPersonal?: boolean
  files?: readonly SentFile[]
}

/** A file to attach, if that is still possible when the e-mail is sent. */
export interface SentFile {
  /** Of its row. */
  id: number
  /** Its name where the e-mail says that the file is elsewhere. */
  label: string
  /** Where the recipient downloads it, if not in the ticket. */
  link?: string
}

/** What is encrypted in an e-mail's row: its text, its headers, the digest of its logo, and the nonce of its Message-ID. */
export type StoredContent = (EmailContent | TextContent) & EmailHeaders & { nonce: string; logo?: string }

/** The part of an e-mail's Message-ID before the @: that of its thread where it opens one. */
export function refOf({ thread, nonce }: Pick<StoredContent, 'thread' | 'nonce'>, messageId: number): string {
  return thread?.opens ? thread.id : `message-${messageId}.${nonce}`
}

const purpose = 'outbox message'

/** The content encrypted for storage, so that codes and links cannot be read from the database. */
export function sealedContent(keys: Keys, content: StoredContent): string {
  return keys.seal(purpose, JSON.stringify(content))
}

/** The decrypted content; throws if APP_SECRET has changed since. */
export function openedContent(keys: Keys, sealed: string): StoredContent {
  return JSON.parse(keys.unseal(purpose, sealed))
}

/** A server's response as it may be stored and logged: one line of 500 characters without the e-mail's codes and links. */
export function redactedResponse(answer: string, content: Pick<StoredContent, 'text'> | undefined): string {
  const secrets = content?.text.match(/[\w.~%+-]{16,}|\d{4,}/g) ?? []
  const without = secrets.reduce((text, secret) => text.replaceAll(secret, '…'), answer)
  return without
    .replace(/[\p{Cc}\p{Cs}]+/gu, ' ')
    .trim()
    .slice(0, 500)
}

/** Whether e-mails of this kind carry neither a code nor a link by which one signs in, resets or confirms. Of others the log shows nothing. */
export function carriesNoSecret(kind: string): boolean {
  return kindsWithoutSecrets.has(kind)
}

const kindsWithoutSecrets: ReadonlySet<string> = new Set([
  ...['client-ticket', 'follower-ticket', 'side-conversation', 'staff-ticket', 'client-notice', 'staff-notice'],
  ...[
    'mail-refused',
    'staff-mail-limit',
    'staff-mail-held',
    'staff-mailbox',
    'staff-rule-paused',
    'staff-webhook-disabled'
  ]
])
