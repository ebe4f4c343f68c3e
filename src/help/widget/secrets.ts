import { randomBytes } from 'node:crypto'
import type { StaffActor } from '../../core/actor.ts'
import { act } from '../../core/acts/act.ts'
import { type Db, prepared } from '../../core/db.ts'
import type { Services } from '../../core/services.ts'
import type { Caller } from '../../kit/caller.ts'
import { secondsAfter } from '../../lib/time.ts'
import { widgetSecretPurpose } from '../../people/auth/sealed-secrets.ts'

/** How long a former secret is taken, so that sites can change theirs. */
const overlapSeconds = 86_400
const maxFormer = 10

/** When the present secret was made, and until when a former one is taken. */
export interface SecretDates {
  created_at: Date | null
  former_until: Date | null
}

/** A new secret by which sites sign who their visitor is. Former ones are taken for another day; `endFormer`: not any more. Returns it in plain text. */
export async function rotateWidgetSecret(
  services: Services,
  actor: StaffActor,
  caller: Caller,
  { endFormer }: { endFormer: boolean }
): Promise<{ secret: string; dates: SecretDates }> {
  const secret = randomBytes(32).toString('base64url')
  return await act(services, { actor, caller }, async act => {
    const { db } = act
    // By the clock of the world, as what they sign expires by it.
    const now = services.realClock.now()
    // Two admins at once: the second waits for the first, whose secret is then a former one.
    await lockSecrets(db, {})
    if (endFormer) await removeAll(db, {})
    else await retire(db, { at: secondsAfter(now, overlapSeconds) })
    await removeOld(db, { now, most: maxFormer })
    await insert(db, { sealed: services.keys.seal(widgetSecretPurpose, secret), now })
    act.happened({
      kind: 'widget.secret_rotated',
      subject: { type: 'setting', id: null },
      after: { ended_former: endFormer }
    })
    return { secret, dates: await secretDates(db, now) }
  })
}

export async function secretDates(db: Db, now: Date): Promise<SecretDates> {
  const rows = await inForce(db, { now })
  const present = rows.find(({ retires_at }) => retires_at === null)
  const former = rows.flatMap(({ retires_at }) => retires_at ?? [])
  return { created_at: present?.created_at ?? null, former_until: former[0] ?? null }
}

/** The secrets that are taken now, the newest first. */
export async function widgetSecrets({ db, keys }: Pick<Services, 'db' | 'keys'>, now: Date): Promise<string[]> {
  return (await inForce(db, { now })).map(({ sealed_secret }) => keys.unseal(widgetSecretPurpose, sealed_secret))
}

/** Encrypts again every secret that was encrypted with a former APP_SECRET; returns how many. */
export async function resealWidgetSecrets({ db, keys }: Pick<Services, 'db' | 'keys'>): Promise<number> {
  let resealed = 0
  for (const { id, sealed_secret: from } of await all(db, {})) {
    const to = keys.reseal(widgetSecretPurpose, from)
    if (to !== undefined) resealed += (await replace(db, { id, from, to })).length
  }
  return resealed
}

const lockSecrets = prepared(db => db.selectFrom('kb_state').select('revision').forUpdate())

const inForce = prepared((db, p: { now: Date }) =>
  db
    .selectFrom('widget_secrets')
    .where(eb => eb.or([eb('retires_at', 'is', null), eb('retires_at', '>', p.now)]))
    .orderBy('id', 'desc')
    .select(['sealed_secret', 'created_at', 'retires_at'])
)

const all = prepared(db => db.selectFrom('widget_secrets').select(['id', 'sealed_secret']))

const retire = prepared((db, p: { at: Date }) =>
  db.updateTable('widget_secrets').where('retires_at', 'is', null).set({ retires_at: p.at })
)

const removeAll = prepared(db => db.deleteFrom('widget_secrets'))

const removeOld = prepared((db, p: { now: Date; most: number }) =>
  db
    .deleteFrom('widget_secrets')
    .where(eb =>
      eb.or([
        eb('retires_at', '<=', p.now),
        eb('id', 'not in', eb.selectFrom('widget_secrets').select('id').orderBy('id', 'desc').limit(p.most))
      ])
    )
)

const insert = prepared((db, p: { sealed: string; now: Date }) =>
  db.insertInto('widget_secrets').values({ sealed_secret: p.sealed, created_at: p.now })
)

const replace = prepared((db, p: { id: number; from: string; to: string }) =>
  db
    .updateTable('widget_secrets')
    .set({ sealed_secret: p.to })
    .where('id', '=', p.id)
    .where('sealed_secret', '=', p.from)
    .returning('id')
)
