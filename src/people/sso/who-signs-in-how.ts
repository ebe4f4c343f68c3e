import { sql } from 'kysely'
import { type Db, prepared } from '../../core/db.ts'

interface HowPeopleSignIn {
  /** By the id of the provider. */
  connected: Map<number, number>
  staff_count: number
  /** Staff who could not sign in if they needed single sign-on: no provider, no passkey, and no admin with a second factor. */
  locked_out: { id: number; first_name: string; last_name: string }[]
  passkeys: { staff_count: number; client_count: number }
}

/** How many people sign in by each provider and by passkeys, of which those of another `host` are dead. */
export async function whoSignsInHow(db: Db, host: string | undefined): Promise<HowPeopleSignIn> {
  const connected = await connections(db, {})
  const [counts] = await countPeople(db, {})
  return {
    connected: new Map(connected.map(({ provider_id, count }) => [provider_id, count])),
    staff_count: counts!.staff,
    locked_out: await lockedOut(db, { host: host ?? '' }),
    passkeys: { staff_count: counts!.staff_with_passkey, client_count: counts!.clients_with_passkey }
  }
}

const connections = prepared(db =>
  db
    .selectFrom('sso_identities')
    .select(db => ['provider_id', db.fn.countAll<number>().as('count')])
    .groupBy('provider_id')
)

const countPeople = prepared(db =>
  db.selectNoFrom(db => [
    db
      .selectFrom('staff')
      .where('is_active', '=', true)
      .where('is_service_account', '=', false)
      .select(db => db.fn.countAll<number>().as('count'))
      .$asScalar()
      .$notNull()
      .as('staff'),
    db
      .selectFrom('passkeys')
      .where('blocked_at', 'is', null)
      .select(sql<number>`count(distinct staff_id)`.as('count'))
      .$asScalar()
      .$notNull()
      .as('staff_with_passkey'),
    db
      .selectFrom('passkeys')
      .where('blocked_at', 'is', null)
      .select(sql<number>`count(distinct client_id)`.as('count'))
      .$asScalar()
      .$notNull()
      .as('clients_with_passkey')
  ])
)

const lockedOut = prepared((db, p: { host: string }) =>
  db
    .selectFrom('staff')
    .where('staff.is_active', '=', true)
    .where('is_service_account', '=', false)
    .where(db => db.not(db.and([db('role', '=', sql.lit('admin' as const)), db('two_factor_enabled', '=', true)])))
    .where(db =>
      db.not(
        db.exists(
          db
            .selectFrom('sso_identities as identity')
            .innerJoin('sso_providers as provider', 'provider.id', 'identity.provider_id')
            .whereRef('identity.staff_id', '=', 'staff.id')
            .where('provider.is_active', '=', true)
            .select('identity.id')
        )
      )
    )
    .where(db =>
      db.not(
        db.exists(
          db
            .selectFrom('passkeys')
            .whereRef('passkeys.staff_id', '=', 'staff.id')
            .where('passkeys.host', '=', p.host)
            .where('passkeys.blocked_at', 'is', null)
            .select('passkeys.id')
        )
      )
    )
    .select(['staff.id', 'first_name', 'last_name'])
    .orderBy('last_name')
    .orderBy('staff.id')
    .limit(100)
)
