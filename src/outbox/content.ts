import type { Keys } from '../keys.ts'
import type { EmailContent, TextContent } from './compose-email.ts'

/** The thread in which mail programs show an e-mail. `id` is what the Message-ID of its first e-mail is made of. */
export interface Thread {
  id: string
  /** Whether this is that first e-mail. */
  opens: boolean
}

/** What the headers of an e-mail say beyond its subject, and what goes with it. */
export interface Marks {
  thread?: Thread
  /** The Message-IDs, in angle brackets, of the mails before it, the oldest first; the last is the one that it answers. */
  references?: readonly string[]
  /** Who it is from, when not MAIL_FROM. */
  from?: { name: string; address: string }
  /** Where answers go, when not to where they always do. */
  replyTo?: string
  /** The address at which one click ends e-mails of this kind (RFC 8058). */
  unsubscribeUrl?: string
  /** A person has written it to the reader: it is not automatic mail. */
  isPersonal?: boolean
  files?: readonly SentFile[]
}

/** A file that goes with an e-mail, if it can when that is sent. */
export interface SentFile {
  /** Of its row. */
  id: number
  /** What it is called where the e-mail says that it is elsewhere. */
  label: string
  /** Where whoever gets the e-mail fetches it, if not in the ticket. */
  link?: string
}

/** What is sealed in an e-mail's row: its words, its marks, the digest of the logo on its page, and what makes its Message-ID one of a kind. */
export type StoredContent = (EmailContent | TextContent) & Marks & { nonce: string; logo?: string }

/** The part of an e-mail's Message-ID before the @: that of its thread where it opens one. */
export function refOf({ thread, nonce }: Pick<StoredContent, 'thread' | 'nonce'>, letterId: number): string {
  return thread?.opens ? thread.id : `letter-${letterId}.${nonce}`
}

const purpose = 'letter'

/** The content as it is stored: codes and links in it cannot be read from the database. */
export function sealedContent(keys: Keys, content: StoredContent): string {
  return keys.seal(purpose, JSON.stringify(content))
}

/** The content that was sealed; throws when APP_SECRET has changed since. */
export function openedContent(keys: Keys, sealed: string): StoredContent {
  return JSON.parse(keys.unseal(purpose, sealed))
}

/** An answer from outside as it may be stored and logged: one line of 500 characters without the e-mail's codes and links. */
export function presentable(answer: string, content: StoredContent | undefined): string {
  const secrets = content?.text.match(/[\w.~%+-]{16,}|\d{4,}/g) ?? []
  const without = secrets.reduce((text, secret) => text.replaceAll(secret, '…'), answer)
  return without
    .replace(/[\p{Cc}\p{Cs}]+/gu, ' ')
    .trim()
    .slice(0, 500)
}
