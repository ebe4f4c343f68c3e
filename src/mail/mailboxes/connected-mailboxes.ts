import { type Db, prepared } from '../../core/db.ts'
import type { Keys } from '../../core/keys.ts'
import type { ConnectedMailboxRow } from '../../core/tables/mails.ts'
import { failure } from '../../kit/errors.ts'
import { baseAddress } from '../support-addresses/support-addresses.ts'

export const MailboxNotFound = failure(404, 'mailbox_not_found', 'Mailbox not found')

/** All mailboxes that admins have connected, oldest first. */
export async function connectedMailboxes(db: Db): Promise<ConnectedMailboxRow[]> {
  return await all(db, {})
}

/** Throws `MailboxNotFound`. */
export async function connectedMailbox(db: Db, id: number): Promise<ConnectedMailboxRow> {
  const [mailbox] = await byId(db, { id })
  if (!mailbox) throw MailboxNotFound()
  return mailbox
}

/** The same, locked until the transaction ends. Throws `MailboxNotFound`. */
export async function lockedMailbox(db: Db, id: number): Promise<ConnectedMailboxRow> {
  const [mailbox] = await byIdLocked(db, { id })
  if (!mailbox) throw MailboxNotFound()
  return mailbox
}

/** The mailbox of an address, whatever stands behind its plus. */
export async function mailboxOfAddress(db: Db, address: string): Promise<ConnectedMailboxRow | undefined> {
  const [mailbox] = await byKey(db, { key: baseAddress(address) })
  return mailbox
}

/** The secrets of a mailbox, which are encrypted together. */
export interface MailboxSecrets {
  imap_password?: string
  smtp_password?: string
  client_secret?: string
  refresh_token?: string
}

export const mailboxSecretsPurpose = 'connected mailbox'

export function sealedMailboxSecrets(keys: Keys, secrets: MailboxSecrets): string {
  return keys.seal(mailboxSecretsPurpose, JSON.stringify(secrets))
}

/** Throws if APP_SECRET has changed since. */
export function mailboxSecrets(keys: Keys, { sealed_secrets }: Pick<ConnectedMailboxRow, 'sealed_secrets'>) {
  return JSON.parse(keys.unseal(mailboxSecretsPurpose, sealed_secrets)) as MailboxSecrets
}

/** Re-encrypts what a former APP_SECRET encrypted; returns how many. */
export async function resealMailboxSecrets({ db, keys }: { db: Db; keys: Keys }): Promise<number> {
  let resealed = 0
  for (const { id, sealed_secrets: from } of await sealed(db, {})) {
    const to = keys.reseal(mailboxSecretsPurpose, from)
    if (to !== undefined) resealed += (await replace(db, { id, from, to })).length
  }
  return resealed
}

export const mailboxColumns = [
  'id',
  'name',
  'address',
  'address_key',
  'deptid',
  'imap',
  'smtp',
  'auth',
  'oauth',
  'sealed_secrets',
  'signed_in_as',
  'signed_in_at',
  'sign_in_ends_at',
  'secret_ends_at',
  'signature',
  'acknowledges',
  'acknowledgement',
  'is_default',
  'is_active',
  'unknown_senders',
  'spam_folder',
  'taken',
  'moved_to',
  'begins_at',
  'smtp_failing_since',
  'smtp_error',
  'smtp_retry_at',
  'sent_at',
  'told_at',
  'version',
  'created_at',
  'updated_at'
] as const

const mailboxes = (db: Db) => db.selectFrom('connected_mailboxes').select(mailboxColumns)

const all = prepared(db => mailboxes(db).orderBy('id'))
const byId = prepared((db, p: { id: number }) => mailboxes(db).where('id', '=', p.id))
const byIdLocked = prepared((db, p: { id: number }) => mailboxes(db).where('id', '=', p.id).forNoKeyUpdate())
const byKey = prepared((db, p: { key: string }) => mailboxes(db).where('address_key', '=', p.key))
const sealed = prepared(db => db.selectFrom('connected_mailboxes').select(['id', 'sealed_secrets']).orderBy('id'))

const replace = prepared((db, p: { id: number; from: string; to: string }) =>
  db
    .updateTable('connected_mailboxes')
    .set({ sealed_secrets: p.to })
    .where('id', '=', p.id)
    .where('sealed_secrets', '=', p.from)
    .returning('id')
)
