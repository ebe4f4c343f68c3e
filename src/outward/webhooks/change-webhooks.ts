import { isDeepStrictEqual } from 'node:util'
import { sql } from 'kysely'
import type { StaffActor } from '../../core/actor.ts'
import { act } from '../../core/acts/act.ts'
import { prepared } from '../../core/db.ts'
import { requireUnused } from '../../core/definitions/uses.ts'
import { newestPosition, sequence } from '../../core/events/read-events.ts'
import type { Services } from '../../core/services.ts'
import type { WebhookRow } from '../../core/tables/webhooks.ts'
import type { Caller } from '../../kit/caller.ts'
import { failure } from '../../kit/errors.ts'
import { requireVersion } from '../../kit/versions.ts'
import { failPending } from './disable-webhook.ts'
import { addSecret } from './secrets.ts'
import { checkedUrl } from './target.ts'
import { countWebhooks, lockedWebhook, webhookColumns } from './webhooks.ts'

const maxWebhooks = 50

export const TooManyWebhooks = failure(409, 'too_many_webhooks', `There are ${maxWebhooks} webhooks already`)

interface WebhookChanges {
  url: string
  kinds?: readonly string[]
  include_text?: 0 | 1
  include_notes?: 0 | 1
  include_staff_fields?: 0 | 1
}

/** Adds a webhook, which receives events from now on. Throws `WebhookUrlRefused`, `TooManyWebhooks`. */
export async function createWebhook(
  services: Services,
  actor: StaffActor,
  caller: Caller,
  { url, kinds = [], include_text = 0, include_notes = 0, include_staff_fields = 0 }: WebhookChanges
): Promise<{ webhook: WebhookRow; secret: string }> {
  const target = await checkedUrl(services, url)
  await sequence(services)
  return await act(services, { actor, caller }, async act => {
    const { db } = act
    const now = services.realClock.now()
    // Concurrent callers cannot exceed the limit.
    await sql`lock table webhooks in share row exclusive mode`.execute(db)
    const startsAfter = await newestPosition(db)
    const wanted = {
      url: target,
      kinds: unique(kinds),
      text: include_text === 1,
      notes: include_notes === 1,
      staffFields: include_staff_fields === 1
    }
    if ((await countWebhooks(db)) >= maxWebhooks) throw TooManyWebhooks()
    const [webhook] = await insert(db, { ...wanted, startsAfter, now })
    const secret = await addSecret(services.keys, db, webhook!.id, now)
    act.happened({ kind: 'webhook.created', subject: webhookOf(webhook!), after: factsOf(webhook!) })
    return { webhook: webhook!, secret }
  })
}

/**
 * Changes the given fields. Turning a webhook off drops what is queued; turned on again, it receives events from then on. Throws
 * `WebhookNotFound`, `WebhookUrlRefused`, `VersionConflict`.
 */
export async function updateWebhook(
  services: Services,
  actor: StaffActor,
  caller: Caller,
  changes: { id: number; is_active?: 0 | 1; expected_version?: number } & Partial<WebhookChanges>
): Promise<WebhookRow> {
  const target = changes.url === undefined ? undefined : await checkedUrl(services, changes.url)
  const webhook = await act(services, { actor, caller }, async act => {
    const { db } = act
    const former = await lockedWebhook(db, changes.id)
    requireVersion(former.version, changes.expected_version)
    const wanted = {
      url: target ?? former.url,
      kinds: changes.kinds ? unique(changes.kinds) : former.kinds,
      text: changes.include_text === undefined ? former.include_text : changes.include_text === 1,
      notes: changes.include_notes === undefined ? former.include_notes : changes.include_notes === 1,
      staffFields:
        changes.include_staff_fields === undefined ? former.include_staff_fields : changes.include_staff_fields === 1,
      isActive: changes.is_active === undefined ? former.is_active : changes.is_active === 1
    }
    if (isDeepStrictEqual(wanted, changesOf(former))) return former

    const isTurnedOn = wanted.isActive && !former.is_active
    // Uses the same connection: a request with an idempotency key already has one.
    if (isTurnedOn) await services.events.sequenceWithin(db)
    const hasNewUrl = wanted.url !== former.url
    const [changed] = await rewrite(db, {
      id: former.id,
      ...wanted,
      startsAfter: isTurnedOn ? await newestPosition(db) : former.starts_after,
      // A new or repaired receiver has not failed yet.
      failingSince: isTurnedOn || hasNewUrl ? null : former.failing_since,
      disabledReason: wanted.isActive ? null : former.disabled_reason,
      disabledAt: wanted.isActive ? null : former.disabled_at,
      now: services.realClock.now()
    })
    act.happened({
      kind: 'webhook.updated',
      subject: webhookOf(former),
      before: factsOf(former),
      after: { ...factsOf(changed!), ...(hasNewUrl ? { url_changed: true } : {}) }
    })
    return changed!
  })
  if (!webhook.is_active) await failPending(services, webhook.id)
  return webhook
}

/** Deletes a webhook and its secrets; its deliveries end and are swept later. Throws `WebhookNotFound`, `VersionConflict`, and `InUse` if a macro or a rule calls it. */
export async function deleteWebhook(
  services: Services,
  actor: StaffActor,
  caller: Caller,
  { id, expected_version }: { id: number; expected_version?: number }
): Promise<void> {
  await act(services, { actor, caller }, async act => {
    const { db } = act
    const former = await lockedWebhook(db, id)
    requireVersion(former.version, expected_version)
    await requireUnused(db, actor, { kind: 'webhook', id })
    await remove(db, { id })
    act.happened({ kind: 'webhook.deleted', subject: webhookOf(former), before: factsOf(former) })
  })
}

/** Gives a webhook a new secret; the former one also signs for 24 hours. Throws `WebhookNotFound`. */
export async function rotateSecret(
  services: Services,
  actor: StaffActor,
  caller: Caller,
  id: number
): Promise<{ webhook: WebhookRow; secret: string }> {
  return await act(services, { actor, caller }, async act => {
    const { db } = act
    const webhook = await lockedWebhook(db, id)
    const secret = await addSecret(services.keys, db, id, services.realClock.now())
    act.happened({ kind: 'webhook.secret_rotated', subject: webhookOf(webhook) })
    return { webhook, secret }
  })
}

function changesOf({ url, kinds, include_text, include_notes, include_staff_fields, is_active }: WebhookRow) {
  return {
    url,
    kinds,
    text: include_text,
    notes: include_notes,
    staffFields: include_staff_fields,
    isActive: is_active
  }
}

function unique(kinds: readonly string[]): string[] {
  return [...new Set(kinds)]
}

export function webhookOf({ id }: Pick<WebhookRow, 'id'>) {
  return { type: 'webhook', id } as const
}

/** The audit facts of a webhook. Of its URL only the origin: some receivers put a secret into the path. */
function factsOf({ url, kinds, include_text, include_notes, include_staff_fields, is_active }: WebhookRow) {
  return { origin: new URL(url).origin, kinds, include_text, include_notes, include_staff_fields, is_active }
}

interface Written {
  url: string
  kinds: readonly string[]
  text: boolean
  notes: boolean
  staffFields: boolean
  startsAfter: number
  now: Date
}

const insert = prepared((db, p: Written) =>
  db
    .insertInto('webhooks')
    .values({
      url: p.url,
      kinds: p.kinds,
      include_text: p.text,
      include_notes: p.notes,
      include_staff_fields: p.staffFields,
      starts_after: p.startsAfter,
      created_at: p.now,
      updated_at: p.now
    })
    .returning(webhookColumns)
)

const rewrite = prepared(
  (
    db,
    p: Written & {
      id: number
      isActive: boolean
      failingSince: Date | null
      disabledReason: WebhookRow['disabled_reason']
      disabledAt: Date | null
    }
  ) =>
    db
      .updateTable('webhooks')
      .where('id', '=', p.id)
      .set(eb => ({
        url: p.url,
        kinds: p.kinds,
        include_text: p.text,
        include_notes: p.notes,
        include_staff_fields: p.staffFields,
        is_active: p.isActive,
        starts_after: p.startsAfter,
        failing_since: p.failingSince,
        disabled_reason: p.disabledReason,
        disabled_at: p.disabledAt,
        version: eb('version', '+', 1),
        updated_at: p.now
      }))
      .returning(webhookColumns)
)

const remove = prepared((db, p: { id: number }) => db.deleteFrom('webhooks').where('id', '=', p.id))
