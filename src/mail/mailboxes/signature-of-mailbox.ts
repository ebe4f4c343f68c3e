import type { Db } from '../../core/db.ts'
import type { SignatureTexts } from '../../core/tables/sending.ts'
import { mailboxOfAddress } from './connected-mailboxes.ts'

/** The signature of the mailbox with this address in each language, with its placeholders; empty if it has none. */
export async function signatureOfMailbox(db: Db, address: string): Promise<SignatureTexts> {
  return (await mailboxOfAddress(db, address))?.signature ?? {}
}
