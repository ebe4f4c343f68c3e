import type { CompiledQuery } from 'kysely'
import { type Db, prepared } from '../../core/db.ts'
import type { Account } from '../../core/sessions/sessions.ts'

// Each change is one conditional update: it names the state it expects, and returns whether that still held.

/** Replaces the stored hash `from` of a password by another hash of the same password. */
export const replaceStoredPassword = changing((db, table, p: { id: number; from: string; to: string }) =>
  db.updateTable(table).set({ password: p.to }).where('id', '=', p.id).where('password', '=', p.from).returning('id')
)

/** Stores an encrypted secret as pending, whether or not one is active. */
export const keepPendingSecret = changing((db, table, p: { id: number; secret: string }) =>
  db.updateTable(table).set({ two_factor_pending_secret: p.secret }).where('id', '=', p.id).returning('id')
)

/** Activates the pending secret, with none of its codes used. */
export const turnTwoFactorOn = changing((db, table, p: { id: number; secret: string; now: Date }) =>
  db
    .updateTable(table)
    .set({
      two_factor_enabled: true,
      two_factor_secret: p.secret,
      two_factor_pending_secret: null,
      two_factor_last_step: null,
      updated_at: p.now
    })
    .where('id', '=', p.id)
    .where('two_factor_enabled', '=', false)
    .where('two_factor_pending_secret', '=', p.secret)
    .returning('id')
)

/** Deactivates the encrypted secret that was verified. */
export const turnTwoFactorOff = changing((db, table, p: { id: number; secret: string; now: Date }) =>
  db
    .updateTable(table)
    .set({
      two_factor_enabled: false,
      two_factor_secret: null,
      two_factor_pending_secret: null,
      two_factor_last_step: null,
      updated_at: p.now
    })
    .where('id', '=', p.id)
    .where('two_factor_secret', '=', p.secret)
    .returning('id')
)

/** Locks the account until the transaction ends, if that encrypted secret is active. */
export const lockFactor = changing((db, table, p: { id: number; secret: string }) =>
  db
    .selectFrom(table)
    .where('id', '=', p.id)
    .where('two_factor_enabled', '=', true)
    .where('two_factor_secret', '=', p.secret)
    .forNoKeyUpdate()
    .select('id')
)

/** Consumes a time step of the active secret for login: neither it nor an earlier one works for another login. */
export const consumeStep = changing((db, table, p: { id: number; secret: string; step: number }) =>
  db
    .updateTable(table)
    .set({ two_factor_last_step: p.step })
    .where('id', '=', p.id)
    .where('two_factor_enabled', '=', true)
    .where('two_factor_secret', '=', p.secret)
    .where(db => db.or([db('two_factor_last_step', 'is', null), db('two_factor_last_step', '<', p.step)]))
    .returning('id')
)

/** One statement per table; their columns for password and second factor are the same. */
function changing<P extends { id: number }>(
  build: (db: Db, table: 'clients', parameters: P) => { compile(): CompiledQuery<{ id: number }> }
): (db: Db, account: Account, parameters: Omit<P, 'id'>) => Promise<boolean> {
  const change = {
    client: prepared((db, p: P) => build(db, 'clients', p)),
    staff: prepared((db, p: P) => build(db, 'staff' as 'clients', p))
  }
  return async (db, { population, id }, parameters) => {
    const changed = await change[population](db, { ...parameters, id } as P)
    return changed.length > 0
  }
}
