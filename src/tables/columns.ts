import type { Generated, GeneratedAlways } from 'kysely'

// What tables of several modules have in common.

export type Id = GeneratedAlways<number>
export type CreatedAt = Generated<Date>

export type Population = 'client' | 'staff'

/** Who does something that is recorded. */
export type ActorType = Population | 'system'

export interface TwoFactorColumns {
  two_factor_enabled: Generated<boolean>
  two_factor_secret: string | null
  two_factor_pending_secret: string | null
  two_factor_last_step: number | null
}
