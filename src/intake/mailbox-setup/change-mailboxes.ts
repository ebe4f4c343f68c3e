import { isDeepStrictEqual } from 'node:util'
import { sql } from 'kysely'
import type { StaffActor } from '../../core/actor.ts'
import { type Act, act } from '../../core/acts/act.ts'
import { prepared } from '../../core/db.ts'
import type { Services } from '../../core/services.ts'
import type { ConnectedMailboxRow } from '../../core/tables/mails.ts'
import type { Caller } from '../../kit/caller.ts'
import { failure, InvalidFields } from '../../kit/errors.ts'
import { requireVersion } from '../../kit/versions.ts'
import { lockedMailbox, mailboxColumns, mailboxSecrets } from '../../mail/mailboxes/connected-mailboxes.ts'
import { replaceAddress } from '../../mail/support-addresses/former-addresses.ts'
import { baseAddress } from '../../mail/support-addresses/support-addresses.ts'
import { successorsOf } from '../../mail/support-addresses/ticket-address.ts'
import type { MailboxChanges, NewMailbox } from './mailbox-bodies.ts'
import { mailboxSecretsOrNone, type WantedMailbox, wantedMailbox } from './wanted-mailbox.ts'

const maxMailboxes = 100

export const MailboxExists = failure(409, 'mailbox_exists', 'This address is connected already')
export const TooManyMailboxes = failure(409, 'too_many_mailboxes', `There are ${maxMailboxes} mailboxes already`)

/** Adds a mailbox, which is fetched from then on. It is saved before it works. Throws `InvalidFields`, `MailboxExists`, `TooManyMailboxes`. */
export async function createMailbox(
  services: Services,
  actor: StaffActor,
  caller: Caller,
  given: NewMailbox
): Promise<ConnectedMailboxRow> {
  return await act(services, { actor, caller }, async act => {
    const { db } = act
    // Concurrent callers cannot exceed the limit.
    await sql`lock table connected_mailboxes in share row exclusive mode`.execute(db)
    const [{ total } = { total: 0 }] = await count(db, {})
    if (total >= maxMailboxes) throw TooManyMailboxes()
    const wanted = await wantedMailbox(services, act, given, undefined)
    const mailbox = await written(insert(db, { ...wanted, now: act.now }))
    act.happened({ kind: 'mailbox.created', subject: subjectOf(mailbox), after: factsOf(mailbox) })
    return mailbox
  })
}

/** Changes the given fields. Throws `MailboxNotFound`, `VersionConflict`, `InvalidFields`, `MailboxExists`. */
export async function updateMailbox(
  services: Services,
  actor: StaffActor,
  caller: Caller,
  { id, expected_version, ...given }: MailboxChanges & { id: number; expected_version?: number }
): Promise<ConnectedMailboxRow> {
  return await act(services, { actor, caller }, async act => {
    const { db } = act
    const former = await lockedMailbox(db, id)
    requireVersion(former.version, expected_version)
    const wanted = await wantedMailbox(services, act, given, former)
    if (isSame(services, wanted, former)) return former
    const mailbox = await written(rewrite(db, { id, ...wanted, now: act.now }))
    act.happened({
      kind: 'mailbox.updated',
      subject: subjectOf(mailbox),
      before: factsOf(former),
      after: factsOf(mailbox)
    })
    return mailbox
  })
}

/**
 * Deletes a mailbox with its secrets; nothing is deleted at the provider. `answers_from`: the address from which answers in the tickets that came to it
 * come from now on, else that of their department. Throws `MailboxNotFound`, `VersionConflict`, `InvalidFields`.
 */
export async function deleteMailbox(
  services: Services,
  actor: StaffActor,
  caller: Caller,
  { id, expected_version, answers_from }: { id: number; expected_version?: number; answers_from?: string }
): Promise<void> {
  await act(services, { actor, caller }, async act => {
    const { db } = act
    const former = await lockedMailbox(db, id)
    requireVersion(former.version, expected_version)
    const successor = answers_from === undefined ? undefined : await successorNamed(services, act, former, answers_from)
    await remove(db, { id })
    if (successor) await replaceAddress(db, { address: former.address, answersFrom: successor, now: act.now })
    act.happened({
      kind: 'mailbox.deleted',
      subject: subjectOf(former),
      before: factsOf(former),
      after: successor ? { answers_from: successor } : null
    })
  })
}

async function successorNamed(
  { config }: Services,
  { db }: Act,
  former: ConnectedMailboxRow,
  named: string
): Promise<string> {
  const key = baseAddress(named)
  const found = (await successorsOf({ db, config }, former)).find(address => baseAddress(address) === key)
  if (!found)
    throw InvalidFields({ message: 'Answers come from another address of this desk', errors: ['answers_from'] })
  return found
}

function isSame({ keys }: Services, wanted: WantedMailbox, former: ConnectedMailboxRow): boolean {
  const { sealed_secrets: _, ...rest } = wanted
  const before = Object.fromEntries(
    Object.keys(rest).map(key => {
      const value = former[key as keyof ConnectedMailboxRow]
      return [
        key,
        ['imap', 'smtp', 'oauth', 'signature', 'acknowledgement'].includes(key) && value ? JSON.stringify(value) : value
      ]
    })
  )
  return (
    isDeepStrictEqual(before, rest) &&
    isDeepStrictEqual(mailboxSecrets(keys, wanted), mailboxSecretsOrNone(keys, former))
  )
}

async function written(statement: Promise<ConnectedMailboxRow[]>): Promise<ConnectedMailboxRow> {
  try {
    return (await statement)[0]!
  } catch (error) {
    if (constraintOf(error) === 'connected_mailboxes_address_key_key') throw MailboxExists({ errors: ['address'] })
    throw error
  }
}

function constraintOf(error: unknown): string | undefined {
  return error instanceof Error && 'constraint' in error ? String(error.constraint) : undefined
}

export function subjectOf({ id }: Pick<ConnectedMailboxRow, 'id'>) {
  return { type: 'mailbox', id } as const
}

/** The audit facts of a mailbox: never a secret. */
function factsOf({ address, name, deptid, imap, smtp, auth, is_default, is_active }: ConnectedMailboxRow) {
  return {
    address,
    name,
    deptid,
    imap_host: imap?.host ?? null,
    smtp_host: smtp?.host ?? null,
    auth,
    is_default,
    is_active
  }
}

const count = prepared(db => db.selectFrom('connected_mailboxes').select(({ fn }) => fn.countAll<number>().as('total')))

const values = (p: WantedMailbox) => ({
  name: p.name,
  address: p.address,
  address_key: p.address_key,
  deptid: p.deptid,
  imap: p.imap,
  smtp: p.smtp,
  auth: p.auth,
  oauth: p.oauth,
  sealed_secrets: p.sealed_secrets,
  signed_in_as: p.signed_in_as,
  signed_in_at: p.signed_in_at,
  sign_in_ends_at: p.sign_in_ends_at,
  secret_ends_at: p.secret_ends_at,
  signature: p.signature,
  acknowledges: p.acknowledges,
  acknowledgement: p.acknowledgement,
  is_default: p.is_default,
  is_active: p.is_active,
  unknown_senders: p.unknown_senders,
  spam_folder: p.spam_folder,
  taken: p.taken,
  moved_to: p.moved_to,
  begins_at: p.begins_at
})

const insert = prepared((db, p: WantedMailbox & { now: Date }) =>
  db
    .insertInto('connected_mailboxes')
    .values({ ...values(p), created_at: p.now, updated_at: p.now })
    .returning(mailboxColumns)
)

/** What was wrong with the former servers is over until it shows again. */
const rewrite = prepared((db, p: WantedMailbox & { id: number; now: Date }) =>
  db
    .updateTable('connected_mailboxes')
    .where('id', '=', p.id)
    .set(eb => ({
      ...values(p),
      smtp_failing_since: null,
      smtp_error: null,
      smtp_retry_at: null,
      told_at: null,
      version: eb('version', '+', 1),
      updated_at: p.now
    }))
    .returning(mailboxColumns)
)

const remove = prepared((db, p: { id: number }) => db.deleteFrom('connected_mailboxes').where('id', '=', p.id))
