import { sql } from 'kysely'
import { system } from '../../core/actor.ts'
import { act } from '../../core/acts/act.ts'
import type { Db } from '../../core/db.ts'
import type { Services } from '../../core/services.ts'
import type { NewClient } from '../../core/tables/clients.ts'
import { Failure } from '../../kit/errors.ts'
import {
  addressKey,
  baseAddress,
  otherSpellings,
  supportAddresses
} from '../../mail/support-addresses/support-addresses.ts'
import { isOfClientInOtherSpelling } from '../credentials/other-spellings.ts'
import { joinByDomain, openOrganisations, recordJoining } from '../organisations/membership.ts'
import { clientOf, type ImportedClient, knownColumns, RowRefused } from './import-fields.ts'
import type { TableRow } from './import-rows.ts'
import { unusablePassword } from './unusable-password.ts'

/** The number of rows by outcome. */
export interface ImportCounts {
  imported: number
  /** Rows whose e-mail address, in any case, already has an account: from before, or from an earlier row. */
  thereAlready: number
  refused: number
  /** Columns of the table that are not imported. */
  ignored: Set<string>
}

export interface ImportOptions {
  /** Encrypts a TOTP secret for storage with the client of that id. */
  sealFactor(id: number, secret: string): string
  /** Called for each rejected row with the reason. */
  refused(line: number, reason: string): void
  /** Called after each batch. */
  progress?(tally: ImportCounts): void
  /** Ends the import after the current batch. */
  signal?: AbortSignal
}

type ImportServices = Pick<Services, 'db' | 'clock' | 'passwords'>

/** Hashing a batch takes a second or less; after an interruption at most that much is repeated. */
const batchSize = 100
/** Objects in a JSON file may have any number of names. */
const ignoredAtMost = 50

/**
 * Imports a customer table in batches, each in its own transaction: run again, it resumes where it was interrupted. Bare SHA-256 digests
 * are hardened at once (decision 13); clients without a password can log in after a reset.
 */
export async function importClients(
  services: ImportServices,
  rows: AsyncIterable<TableRow>,
  options: ImportOptions
): Promise<ImportCounts> {
  const tally: ImportCounts = { imported: 0, thereAlready: 0, refused: 0, ignored: new Set() }
  // One hash for all clients without a password: nobody knows its password.
  const unusable = await unusablePassword(services.passwords)
  const own = new Set((await supportAddresses(services.db)).map(({ address }) => baseAddress(address)))
  const open = new Set(await openOrganisations(services.db))
  let batch: ImportedClient[] = []

  const storeBatch = async () => {
    const imported = await store(services, batch, unusable, options)
    tally.imported += imported
    tally.thereAlready += batch.length - imported
    batch = []
    options.progress?.(tally)
  }

  for await (const row of rows) {
    const client = judged(services, row, tally, { ...options, own, open })
    if (client) batch.push(client)
    if (batch.length === batchSize) await storeBatch()
    if (options.signal?.aborted) return tally
  }
  if (batch.length > 0) await storeBatch()
  return tally
}

function judged(
  { passwords }: ImportServices,
  row: TableRow,
  tally: ImportCounts,
  { refused, own, open }: ImportOptions & { own: ReadonlySet<string>; open: ReadonlySet<number> }
): ImportedClient | undefined {
  try {
    if ('refused' in row) throw new RowRefused(row.refused)
    for (const name of row.fields.keys()) {
      if (!knownColumns.has(name) && tally.ignored.size < ignoredAtMost) tally.ignored.add(name)
    }
    const client = clientOf(row.fields, passwords)
    if (own.has(baseAddress(client.email))) throw new RowRefused('email is an address of the support desk itself')
    if (client.organisation_id && !open.has(client.organisation_id)) {
      throw new RowRefused('organisation_id names no organisation that anybody can join')
    }
    return client
  } catch (error) {
    if (!(error instanceof RowRefused || error instanceof Failure)) throw error
    tally.refused++
    refused(row.line, error.message)
    return undefined
  }
}

/** Returns how many of them were new. */
async function store(
  { db, clock, passwords }: ImportServices,
  batch: ImportedClient[],
  unusable: string,
  { sealFactor }: ImportOptions
): Promise<number> {
  const known = await knownAmong(db, batch)
  const fresh = batch.filter((_, at) => !known.has(at))
  if (fresh.length === 0) return 0
  const now = clock.now()
  const values = await Promise.all(
    fresh.map(async client => rowOf(client, await storedPassword(passwords, client.password, unusable), now))
  )

  const rowOfEmail = new Map(values.map(row => [row.email, row]))
  return await act({ db, clock }, system, async act => {
    const unique = await inOneSpelling(act.db, values)
    if (unique.length === 0) return 0
    const stored = await act.db
      .insertInto('clients')
      .values(unique)
      .onConflict(conflict => conflict.expression(sql`lower(email)`).doNothing())
      .returning(['id', 'email'])
      .execute()
    for (const { id, email } of stored) {
      const client = fresh.find(client => client.email === email)!
      const { organisation_id, organisation_role = null } = rowOfEmail.get(email)!
      if (organisation_id) recordJoining(act, id, { organisation_id, organisation_role })
      if (!client.two_factor_enabled) continue
      const two_factor_secret = sealFactor(id, client.two_factor_secret!)
      await act.db
        .updateTable('clients')
        .set({ two_factor_enabled: true, two_factor_secret })
        .where('id', '=', id)
        .execute()
    }
    await joinByDomain(
      act,
      stored.map(({ id }) => id)
    )
    return stored.length
  })
}

/** Without those who have an account by another way to write the domain of their address, and each of the others once. */
async function inOneSpelling(db: Db, rows: NewClient[]): Promise<NewClient[]> {
  const unique = new Map<string, NewClient>()
  for (const row of rows) {
    const isOneWay = otherSpellings(row.email).length === 0
    const key = isOneWay ? row.email : addressKey(row.email)
    if (!unique.has(key) && (isOneWay || !(await isOfClientInOtherSpelling(db, row.email)))) unique.set(key, row)
  }
  return [...unique.values()]
}

/** The indexes in the batch of clients who already have an account, so that nothing is hashed for them. */
async function knownAmong(db: Db, batch: ImportedClient[]): Promise<Set<number>> {
  const emails = batch.map(({ email }) => email)
  const { rows } = await sql<{ place: number }>`
    select place - 1 as place from unnest(${emails}::text[]) with ordinality as given (email, place)
    where exists (select from clients where lower(clients.email) = lower(given.email))`.execute(db)
  return new Set(rows.map(({ place }) => place))
}

async function storedPassword(
  passwords: ImportServices['passwords'],
  given: string | undefined,
  unusable: string
): Promise<string> {
  if (given === undefined) return unusable
  return passwords.isBare(given) ? await passwords.harden(given) : given
}

function rowOf(client: ImportedClient, password: string, now: Date): NewClient {
  const { two_factor_enabled, two_factor_secret, created_at = now, updated_at, ...rest } = client
  const belongs = rest.organisation_id ? (rest.organisation_role ?? ('member' as const)) : null
  return {
    ...rest,
    password,
    is_active: rest.is_active !== 0,
    is_email_verified: rest.is_email_verified === 1,
    is_phone_verified: rest.is_phone_verified === 1,
    profile_picture: rest.profile_picture ?? null,
    organisation_id: rest.organisation_id ?? null,
    organisation_role: belongs,
    organisation_joined_by: belongs && 'staff',
    created_at,
    updated_at: updated_at ?? created_at
  }
}
