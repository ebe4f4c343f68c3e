import { sql } from 'kysely'
import { type StaffActor, system } from '../../core/actor.ts'
import { type Act, type ActServices, act } from '../../core/acts/act.ts'
import type { AuditActor } from '../../core/audit/audit-actor.ts'
import { type Db, prepared } from '../../core/db.ts'
import { requireUnused } from '../../core/definitions/uses.ts'
import type { Services } from '../../core/services.ts'
import type { Caller } from '../../kit/caller.ts'
import { failure, InvalidFields } from '../../kit/errors.ts'
import { requireVersion } from '../../kit/versions.ts'
import { secondsAfter } from '../../lib/time.ts'
import { requireOpen } from './membership.ts'
import { replaceInViews } from './merged-in-views.ts'
import { lockedOrganisation, type Organisation, organisationOf } from './organisations.ts'

export const NameNotConfirmed = failure(
  400,
  'name_not_confirmed',
  'Send the name of the organisation that goes as confirm_name: merging cannot be undone'
)

type Merger = ActServices & Pick<Services, 'jobs'>

/** People, or tickets, that are moved in one transaction, whose locks others may have to wait for. */
export const batchSize = 500
/** Batches after which another job continues, so that none exceeds its time limit. */
const batchesOfJob = 40
/** Longer than the delay before a job's next retry. */
const idleSeconds = 2 * 3_600

/**
 * Moves the people, domains and tickets of an organisation into another one and deletes it, which nothing undoes. At most `batchSize` people and
 * tickets move at once; of more, jobs move the rest. Returns the organisation that stays. Throws `OrganisationNotFound`, `NameNotConfirmed`,
 * `UnknownOrganisation`, `OrganisationArchived`, `OrganisationIsMerging`, `InUse` if a definition names it, `VersionConflict`.
 */
export async function mergeOrganisations(
  services: Merger,
  actor: StaffActor,
  caller: Caller,
  given: { id: number; into_id: number; confirm_name: string; expected_version?: number }
): Promise<Organisation> {
  const { id, into_id: into } = given
  return await act(services, { actor, caller }, async act => {
    const { db, now } = act
    // In one order: two that are merged into each other at once wait for each other.
    await lockBoth(db, { ids: [id, into] })
    const former = await lockedOrganisation(db, id)
    requireVersion(former.version, given.expected_version)
    if (given.confirm_name.trim() !== former.name) throw NameNotConfirmed({ errors: ['confirm_name'] })
    if (id === into)
      throw InvalidFields({ message: 'An organisation cannot be merged into itself', errors: ['into_id'] })
    await requireOpen(db, into, 'into_id')
    // What names it would find nothing from then on.
    await requireUnused(db, actor, { kind: 'organisation', id })
    await replaceInViews(db, id, into)
    await moveDomains(db, { id, into })
    await moveExits(db, { id, into })
    const { type: actorType, id: actorId, name: actorName, ip, requestId } = act.by
    await insertMerge(db, { id, into, actorType, actorId, actorName, ip, requestId, now })
    // Merges into this one go on with the other.
    await redirect(db, { id, into })
    const { name, domains } = former
    const isDone = (await moveSome(act, { id, into })) && (await finish(act, id))
    if (!isDone) {
      act.happened({
        kind: 'organisation.merge_begun',
        subject: { type: 'organisation', id },
        before: { name, domains },
        after: { into_id: into }
      })
      await services.jobs.send(db, 'merge-organisation', { organisationId: id })
    }
    return await organisationOf(db, into)
  })
}

/** Goes on with a merge, batch by batch. Committed batches stay: a retry resumes from there. */
export async function continueMerge(services: Merger, organisationId: number): Promise<void> {
  for (let batch = 0; batch < batchesOfJob; batch++) {
    const isDone = await act(services, system, async act => {
      const merge = await lockedMerge(act.db, organisationId)
      if (!merge) return true
      return (await moveSome(act, { id: organisationId, into: merge.into_id })) && (await finish(act, organisationId))
    })
    if (isDone) return
  }
  await services.jobs.send(services.db, 'merge-organisation', { organisationId })
}

/** Starts a new job for each stalled merge: its job has given up, or was left behind when the rows were restored elsewhere. */
export async function resumeMerges({ db, jobs, clock }: Pick<Services, 'db' | 'jobs' | 'clock'>): Promise<void> {
  const idle = await idleMerges(db, { before: secondsAfter(clock.now(), -idleSeconds) })
  for (const { organisation_id: organisationId } of idle) await jobs.send(db, 'merge-organisation', { organisationId })
}

/** Moves a batch of people and one of tickets; true if none are left. */
async function moveSome(act: Act, { id, into }: { id: number; into: number }): Promise<boolean> {
  const { db, now } = act
  const people = await movePeople(db, { id, into, now, limit: batchSize })
  const tickets = await moveTickets(db, { id, into, limit: batchSize })
  for (const { id: client, organisation_role } of people) {
    act.happened({
      kind: 'client.organisation_changed',
      subject: { type: 'client', id: client },
      before: { organisation_id: id, organisation_role },
      after: { organisation_id: into, organisation_role, by: 'merge' }
    })
  }
  await countMoved(db, { id, people: people.length, tickets: tickets.length, now })
  return people.length < batchSize && tickets.length < batchSize
}

/** Deletes the organisation if it has nobody and nothing any more; true if it is gone. */
async function finish(act: Act, id: number): Promise<boolean> {
  const { db } = act
  // Waits for tickets that are being opened by people whom it has just lost.
  await lockWhole(db, { id })
  const [left] = await leftIn(db, { id })
  if (left!.is_left) return false
  const { name, domains } = await organisationOf(db, id)
  const merge = (await lockedMerge(db, id))!
  await removeOrganisation(db, { id })
  const by: AuditActor = {
    type: merge.actor_type,
    id: merge.actor_id,
    name: merge.actor_name,
    ip: merge.ip_address,
    requestId: merge.request_id
  }
  const after = { into_id: merge.into_id, people_moved: merge.people_moved, tickets_moved: merge.tickets_moved }
  act.happened(
    { kind: 'organisation.merged', subject: { type: 'organisation', id }, before: { name, domains }, after },
    by
  )
  return true
}

async function lockedMerge(db: Db, id: number) {
  const [merge] = await mergeOf(db, { id })
  return merge
}

const lockBoth = prepared((db, p: { ids: readonly number[] }) =>
  db
    .selectFrom('organisations')
    .where('id', '=', sql<number>`any(${p.ids}::bigint[])`)
    .select('id')
    .orderBy('id')
    .forNoKeyUpdate()
)

const lockWhole = prepared((db, p: { id: number }) =>
  db.selectFrom('organisations').where('id', '=', p.id).select('id').forUpdate()
)

const mergeOf = prepared((db, p: { id: number }) =>
  db
    .selectFrom('organisation_merges')
    .where('organisation_id', '=', p.id)
    .select(['into_id', 'people_moved', 'tickets_moved'])
    .select(['actor_type', 'actor_id', 'actor_name', 'ip_address', 'request_id'])
    .forUpdate()
)

interface NewMerge {
  id: number
  into: number
  actorType: AuditActor['type']
  actorId: number | null
  actorName: string
  ip: string | null
  requestId: string | null
  now: Date
}

const insertMerge = prepared((db, p: NewMerge) =>
  db.insertInto('organisation_merges').values({
    organisation_id: p.id,
    into_id: p.into,
    actor_type: p.actorType,
    actor_id: p.actorId,
    actor_name: p.actorName,
    ip_address: p.ip,
    request_id: p.requestId,
    created_at: p.now,
    worked_at: p.now
  })
)

const redirect = prepared((db, p: { id: number; into: number }) =>
  db.updateTable('organisation_merges').where('into_id', '=', p.id).set({ into_id: p.into })
)

const moveDomains = prepared((db, p: { id: number; into: number }) =>
  db.updateTable('organisation_domains').where('organisation_id', '=', p.id).set({ organisation_id: p.into })
)

/** Whom staff have taken out of the one that goes does not join the other by its domains either, unless they belong to it already. */
const moveExits = prepared((db, p: { id: number; into: number }) =>
  db
    .insertInto('organisation_exits')
    .columns(['client_id', 'organisation_id'])
    .expression(db =>
      db
        .selectFrom('organisation_exits')
        .innerJoin('clients', 'clients.id', 'organisation_exits.client_id')
        .where('organisation_exits.organisation_id', '=', p.id)
        .where('clients.organisation_id', 'is distinct from', p.into)
        .select(['client_id', sql<number>`${p.into}::bigint`.as('organisation_id')])
    )
    .onConflict(conflict => conflict.doNothing())
)

interface Moving {
  id: number
  into: number
  limit: number
}

const movePeople = prepared((db, p: Moving & { now: Date }) =>
  db
    .updateTable('clients')
    .where('id', 'in', db =>
      db
        .selectFrom('clients')
        .where('organisation_id', '=', p.id)
        .select('id')
        .orderBy('id')
        .limit(p.limit)
        .forNoKeyUpdate()
    )
    .set({ organisation_id: p.into, updated_at: p.now })
    .returning(['id', 'organisation_role'])
)

/** Neither the time nor the version of a ticket changes: see `maintain_ticket`. */
const moveTickets = prepared((db, p: Moving) =>
  db
    .updateTable('tickets')
    .where('id', 'in', db =>
      db
        .selectFrom('tickets')
        .where('organisation_id', '=', p.id)
        .select('id')
        .orderBy('id')
        .limit(p.limit)
        .forNoKeyUpdate()
    )
    .set({ organisation_id: p.into })
    .returning('id')
)

const countMoved = prepared((db, p: { id: number; people: number; tickets: number; now: Date }) =>
  db
    .updateTable('organisation_merges')
    .where('organisation_id', '=', p.id)
    .set(eb => ({
      people_moved: eb('people_moved', '+', p.people),
      tickets_moved: eb('tickets_moved', '+', p.tickets),
      worked_at: p.now
    }))
)

const leftIn = prepared((db, p: { id: number }) =>
  db.selectNoFrom([
    sql<boolean>`(exists (select from clients where organisation_id = ${p.id})
      or exists (select from tickets where organisation_id = ${p.id}))`.as('is_left')
  ])
)

const removeOrganisation = prepared((db, p: { id: number }) => db.deleteFrom('organisations').where('id', '=', p.id))

const idleMerges = prepared((db, p: { before: Date }) =>
  db
    .selectFrom('organisation_merges')
    .where('worked_at', '<=', p.before)
    .select('organisation_id')
    .orderBy('organisation_id')
)
