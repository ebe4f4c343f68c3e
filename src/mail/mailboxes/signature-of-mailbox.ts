import type { Db } from '../../core/db.ts'
import type { Language } from '../../core/wording/languages.ts'
import { mailboxOfAddress } from './connected-mailboxes.ts'

/** The signature of the mailbox with this address in that language, else in the other; undefined if it has none. */
export async function signatureOfMailbox(db: Db, address: string, language: Language): Promise<string | undefined> {
  const { signature = {} } = (await mailboxOfAddress(db, address)) ?? {}
  return signature[language] ?? Object.values(signature)[0]
}
