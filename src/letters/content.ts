import type { Keys } from '../platform/secrets/keys.ts'
import type { LetterContent, TextContent } from './words.ts'

/** What is sealed in a letter's row: its words, and what makes its Message-ID one of a kind. */
export type StoredContent = (LetterContent | TextContent) & { nonce: string }

const purpose = 'letter'

/** The content as it is stored: codes and links in it cannot be read from the database. */
export function sealedContent(keys: Keys, content: StoredContent): string {
  return keys.seal(purpose, JSON.stringify(content))
}

/** The content that was sealed; throws when APP_SECRET has changed since. */
export function openedContent(keys: Keys, sealed: string): StoredContent {
  return JSON.parse(keys.unseal(purpose, sealed))
}

/** An answer from outside as it may be stored and logged: one line of 500 characters without the letter's codes and links. */
export function presentable(answer: string, content: StoredContent | undefined): string {
  const secrets = content?.text.match(/[\w.~%+-]{16,}|\d{4,}/g) ?? []
  const without = secrets.reduce((text, secret) => text.replaceAll(secret, '…'), answer)
  return without
    .replace(/[\p{Cc}\p{Cs}]+/gu, ' ')
    .trim()
    .slice(0, 500)
}
