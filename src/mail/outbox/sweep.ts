import { type SelectQueryBuilder, sql } from 'kysely'
import type { Db } from '../../core/db.ts'
import type { Tables } from '../../core/tables/tables.ts'
import { deliveryOf, deliveryStep } from '../log/log-outgoing.ts'

const batchSize = 1000
/** Enough for an hour of a very busy installation; the rest waits for the next sweep. */
const maxBatches = 200

const day = 86_400_000
/** Longer than e-mails wait for the server of their mailbox, with the attempts that follow. */
const lostAfter = 6 * day

/** How many rows of each kind were removed or failed. */
type Swept = Record<keyof typeof sweeps, number>

/**
 * Removes expired rows and fails e-mails that were not delivered for six days. E-mails are dated by the clock of the desk. Works in small batches that skip locked rows, so that nobody
 * waits for it.
 */
export async function sweepExpired(db: Db, now: Date, deskNow = now): Promise<Swept> {
  const ago: Ago = (milliseconds, since = 'machine') =>
    new Date((since === 'machine' ? now : deskNow).getTime() - milliseconds)
  const swept: Partial<Swept> = {}
  for (const [name, sweep] of Object.entries<Sweep>(sweeps)) {
    swept[name as keyof Swept] = await inBatches(() => sweep(db, ago))
  }
  return swept as Swept
}

type Ago = (milliseconds: number, clock?: 'machine' | 'desk') => Date
type Batch = { execute(): Promise<({ numDeletedRows: bigint } | { numUpdatedRows: bigint })[]> }
type Sweep = (db: Db, ago: Ago) => Batch

// Partial indexes need literals: with a parameter the planner would not use them. The week of grace is for answering "already used" rather than
// "unknown", and for investigating what happened.
const sweeps = {
  rate_limits: (db, ago) => {
    const ended = db.selectFrom('rate_limits').select('key').where('resets_at', '<=', ago(0))
    return db.deleteFrom('rate_limits').where('key', '=', anyOf(ended))
  },
  idempotency_keys: (db, ago) => {
    const expired = db.selectFrom('idempotency_keys').select('scope').where('expires_at', '<=', ago(0))
    return db.deleteFrom('idempotency_keys').where('scope', '=', anyOf(expired))
  },
  login_challenges: expired('login_challenges', day),
  passkey_challenges: expired('passkey_challenges', day),
  sso_attempts: expired('sso_attempts', day),
  service_account_calls: (db, ago) => {
    const old = db
      .selectFrom('service_account_calls')
      .select('id')
      .where('at', '<=', ago(30 * day))
    return db.deleteFrom('service_account_calls').where('id', '=', anyOf(old))
  },
  service_account_days: (db, ago) =>
    db.deleteFrom('service_account_days').where('day', '<', ago(9 * day).toISOString()),
  sso_refusals: (db, ago) => db.deleteFrom('sso_refusals').where('created_at', '<=', ago(30 * day)),
  reset_tokens: expired('reset_tokens', 7 * day),
  staff_reset_tokens: expired('staff_reset_tokens', 7 * day),
  unconfirmed_tickets: expired('unconfirmed_tickets', day),
  verification_codes: expired('verification_codes', 7 * day),
  refresh_tokens: expired('refresh_tokens', 7 * day),
  // Logged-out sessions, and expired ones: their last refresh token was removed above, more than a week after it expired.
  sessions: (db, ago) => {
    const over = db
      .selectFrom('sessions')
      .select('id')
      .where(where => {
        const token = where.selectFrom('refresh_tokens').select('id').whereRef('session_id', '=', 'sessions.id')
        const isLiving = where('ended_at', 'is', null)
        // Those of API tokens have none, and go a month after they expired.
        const apiToken = where.selectFrom('api_tokens').select('id').whereRef('api_tokens.id', '=', 'sessions.id')
        const faded = where.and([
          isLiving,
          where('created_at', '<=', ago(37 * day)),
          where.not(where.exists(token)),
          where.not(
            where.exists(
              apiToken.where(({ or, eb }) => or([eb('expires_at', 'is', null), eb('expires_at', '>', ago(30 * day))]))
            )
          )
        ])
        return where.or([where('ended_at', '<=', ago(7 * day)), faded])
      })
    return db.deleteFrom('sessions').where('id', '=', anyOf(over))
  },
  unsent_mails: (db, ago) => {
    const late = db
      .selectFrom('mail_log')
      .innerJoin('outbox_messages as message', 'message.id', 'mail_log.outbox_message_id')
      .select('mail_log.id')
      .where('message.state', '=', sql.lit('queued'))
      .where('message.created_at', '<=', ago(lostAfter, 'desk'))
      .where('mail_log.outcome', 'in', [sql.lit('queued' as const), sql.lit('deferred' as const)])
    const step = deliveryStep('bounced', { reason: 'Not delivered in time' }, ago(0, 'desk'))
    return db.updateTable('mail_log').set(deliveryOf(step)).where('id', '=', anyOf(late, 'mail_log'))
  },
  // Their job ended without settling them, for example because its process died during the last attempt.
  unsent_messages: (db, ago) => {
    const late = db
      .selectFrom('outbox_messages')
      .select('id')
      .where('state', '=', sql.lit('queued'))
      .where('created_at', '<=', ago(lostAfter, 'desk'))
    return db
      .updateTable('outbox_messages')
      .set({
        state: 'failed',
        sealed_content: null,
        settled_at: ago(0, 'desk'),
        last_answer: sql`coalesce(last_answer, 'Not delivered in time')`
      })
      .where('id', '=', anyOf(late))
  },
  // What did not fit is only for whoever watches a new rule.
  rule_misses: (db, ago) => {
    const old = db
      .selectFrom('rule_runs')
      .select('id')
      .where('at', '<=', ago(day, 'desk'))
      .where('outcome', '=', sql.lit('no_match' as const))
    return db.deleteFrom('rule_runs').where('id', '=', anyOf(old))
  },
  // What a timer did is known for ever: its time is over once.
  rule_runs: (db, ago) =>
    db
      .with('old', db =>
        db
          .selectFrom('rule_runs')
          .where('at', '<=', ago(30 * day, 'desk'))
          .select(['id', 'rule_id', 'ticket_id', 'due_at', 'outcome'])
          .limit(batchSize)
          .forUpdate()
          .skipLocked()
      )
      .with('fired', db =>
        db
          .insertInto('rule_timers_fired')
          .columns(['rule_id', 'ticket_id', 'due_at'])
          .expression(db =>
            db
              .selectFrom('old')
              .where('due_at', 'is not', null)
              .where('outcome', 'not in', [sql.lit('watched' as const), sql.lit('no_match' as const)])
              .select(['rule_id', 'ticket_id', sql<Date>`due_at`.as('due_at')])
          )
          .onConflict(conflict => conflict.doNothing())
      )
      .deleteFrom('rule_runs')
      .where('id', 'in', db => db.selectFrom('old').select('id')),
  rule_emails: (db, ago) => {
    const old = db.selectFrom('rule_emails').select('id').where('at', '<=', ago(day, 'desk'))
    return db.deleteFrom('rule_emails').where('id', '=', anyOf(old))
  },
  macro_uses: (db, ago) => {
    const old = db
      .selectFrom('macro_uses')
      .select('id')
      .where('at', '<=', ago(30 * day, 'desk'))
    return db.deleteFrom('macro_uses').where('id', '=', anyOf(old))
  },
  // What was taken back can be taken back once more for a day; drafts and replies that were stopped end after thirty days.
  waiting_replies: (db, ago) => {
    const old = db
      .selectFrom('waiting_replies')
      .select('message_id')
      .where(({ or, and, eb }) =>
        or([
          and([eb('state', '=', 'undone'), eb('created_at', '<=', ago(day, 'desk'))]),
          and([eb('state', '=', 'stopped'), eb('created_at', '<=', ago(30 * day, 'desk'))])
        ])
      )
    return db.deleteFrom('waiting_replies').where('message_id', '=', anyOf(old))
  },
  waiting_side_messages: (db, ago) => {
    const old = db
      .selectFrom('waiting_side_messages')
      .select('side_message_id')
      .where(({ or, and, eb }) =>
        or([
          and([eb('state', '=', 'undone'), eb('created_at', '<=', ago(day, 'desk'))]),
          and([eb('state', '=', 'stopped'), eb('created_at', '<=', ago(30 * day, 'desk'))])
        ])
      )
    return db.deleteFrom('waiting_side_messages').where('side_message_id', '=', anyOf(old))
  },
  ticket_drafts: (db, ago) => db.deleteFrom('ticket_drafts').where('updated_at', '<=', ago(30 * day, 'desk')),
  outbox_messages: (db, ago) => {
    const settled = db
      .selectFrom('outbox_messages')
      .select('id')
      .where('state', '<>', sql.lit('queued'))
      .where('settled_at', '<=', ago(30 * day, 'desk'))
    return db.deleteFrom('outbox_messages').where('id', '=', anyOf(settled))
  }
} satisfies Record<string, Sweep>

type Expiring =
  | 'login_challenges'
  | 'passkey_challenges'
  | 'sso_attempts'
  | 'reset_tokens'
  | 'staff_reset_tokens'
  | 'unconfirmed_tickets'
  | 'verification_codes'
  | 'refresh_tokens'

/** Removes rows that expired longer ago than the grace period. */
function expired(table: Expiring, graceMilliseconds: number): Sweep {
  return (db, ago) => {
    const rows = db.selectFrom(table).select('id').where('expires_at', '<=', ago(graceMilliseconds))
    return db.deleteFrom(table).where('id', '=', anyOf(rows))
  }
}

/** One batch of the chosen rows. As an array, so that the rows are chosen once, whatever the plan. */
// biome-ignore lint/suspicious/noExplicitAny: whatever tables are joined, the rows are of one.
function anyOf<T>(rows: SelectQueryBuilder<any, any, T>, of?: keyof Tables) {
  return sql<never>`any(array(${rows
    .limit(batchSize)
    .forUpdate(of ? [of] : undefined)
    .skipLocked()}))`
}

async function inBatches(next: () => Batch): Promise<number> {
  let total = 0
  for (let batch = 0; batch < maxBatches; batch++) {
    const [result] = await next().execute()
    const count = Number(result && ('numDeletedRows' in result ? result.numDeletedRows : result.numUpdatedRows))
    total += count
    if (count < batchSize) break
  }
  return total
}
