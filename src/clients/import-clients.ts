import { sql } from 'kysely'
import { type Db, transaction } from '../db.ts'
import { Failure } from '../kit/errors.ts'
import type { Services } from '../services.ts'
import type { NewClient } from '../tables/clients.ts'
import { clientOf, type ImportedClient, knownColumns, RowRefused } from './import-fields.ts'
import type { TableRow } from './import-rows.ts'
import { unusablePassword } from './unusable-password.ts'

/** How many rows came to what. */
export interface ImportTally {
  imported: number
  /** Their e-mail address has an account, in whatever case: from before, or from an earlier row. */
  thereAlready: number
  refused: number
  /** Columns of the table that mean nothing here. */
  ignored: Set<string>
}

export interface ImportOptions {
  /** A TOTP secret as it is stored for the client with that id. */
  sealFactor(id: number, secret: string): string
  /** Told of each row that was refused, and why. */
  refused(line: number, reason: string): void
  /** Told how far it has come. */
  progress?(tally: ImportTally): void
  /** Ends the import after the batch that is being stored. */
  signal?: AbortSignal
}

type ImportServices = Pick<Services, 'db' | 'clock' | 'passwords'>

/** Hashing a batch takes a second or less; so much is done again after an interruption. */
const batchSize = 100
/** A table of objects may have any number of names. */
const ignoredAtMost = 50

/**
 * Takes a customer table in, batch by batch, each in a transaction of its own: run again, it goes on where it was interrupted. Bare
 * SHA-256 digests are hardened at once (decision 13); who has no password can log in once it is reset.
 */
export async function importClients(
  services: ImportServices,
  rows: AsyncIterable<TableRow>,
  options: ImportOptions
): Promise<ImportTally> {
  const tally: ImportTally = { imported: 0, thereAlready: 0, refused: 0, ignored: new Set() }
  // One for all: nobody knows it.
  const unusable = await unusablePassword(services.passwords)
  let batch: ImportedClient[] = []

  const storeBatch = async () => {
    const imported = await store(services, batch, unusable, options)
    tally.imported += imported
    tally.thereAlready += batch.length - imported
    batch = []
    options.progress?.(tally)
  }

  for await (const row of rows) {
    const client = judged(services, row, tally, options)
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
  tally: ImportTally,
  { refused }: ImportOptions
): ImportedClient | undefined {
  try {
    if ('refused' in row) throw new RowRefused(row.refused)
    for (const name of row.fields.keys()) {
      if (!knownColumns.has(name) && tally.ignored.size < ignoredAtMost) tally.ignored.add(name)
    }
    return clientOf(row.fields, passwords)
  } catch (error) {
    if (!(error instanceof RowRefused || error instanceof Failure)) throw error
    tally.refused++
    refused(row.line, error.message)
    return undefined
  }
}

/** Answers how many of them were not there yet. */
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

  return await transaction(db, async db => {
    const stored = await db
      .insertInto('clients')
      .values(values)
      .onConflict(conflict => conflict.expression(sql`lower(email)`).doNothing())
      .returning(['id', 'email'])
      .execute()
    for (const { id, email } of stored) {
      const client = fresh.find(client => client.email === email)!
      if (!client.two_factor_enabled) continue
      const two_factor_secret = sealFactor(id, client.two_factor_secret!)
      await db
        .updateTable('clients')
        .set({ two_factor_enabled: true, two_factor_secret })
        .where('id', '=', id)
        .execute()
    }
    return stored.length
  })
}

/** The places in the batch of those who have an account, so that nothing is hashed for them. */
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
  return {
    ...rest,
    password,
    is_active: rest.is_active !== 0,
    is_email_verified: rest.is_email_verified === 1,
    is_phone_verified: rest.is_phone_verified === 1,
    profile_picture: rest.profile_picture ?? null,
    created_at,
    updated_at: updated_at ?? created_at
  }
}
