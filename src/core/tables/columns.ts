import type { Generated, GeneratedAlways } from 'kysely'

// Types shared by tables of several modules.

export type Id = GeneratedAlways<number>
export type CreatedAt = Generated<Date>

export type Population = 'client' | 'staff'

/** The kind of actor of a recorded event. */
export type ActorType = Population | 'system'

export interface TwoFactorColumns {
  two_factor_enabled: Generated<boolean>
  two_factor_secret: string | null
  two_factor_pending_secret: string | null
  two_factor_last_step: number | null
}
