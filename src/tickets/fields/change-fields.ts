import { isDeepStrictEqual } from 'node:util'
import { sql } from 'kysely'
import type { StaffActor } from '../../core/actor.ts'
import { type ActServices, act } from '../../core/acts/act.ts'
import { type Db, prepared } from '../../core/db.ts'
import { requireUnused } from '../../core/definitions/uses.ts'
import type { Services } from '../../core/services.ts'
import type { FieldKind } from '../../core/tables/fields.ts'
import type { Caller } from '../../kit/caller.ts'
import { failure, InvalidFields } from '../../kit/errors.ts'
import { requireVersion } from '../../kit/versions.ts'
import { secondsAfter } from '../../lib/time.ts'
import { blank, type Changes, type Definition, definitionWith } from './field-definition.ts'
import { maxFields } from './field-schemas.ts'
import { allFields, type Field, fieldWith } from './fields.ts'

const maxFilterable = 20
const restDays = 90
const daySeconds = 86_400

export const TooManyFields = failure(409, 'too_many_fields', `There are ${maxFields} fields already: archive one first`)
export const TooManyFilterable = failure(
  409,
  'too_many_filterable_fields',
  `Lists can be filtered by ${maxFilterable} fields at most`
)
export const FieldKeyTaken = failure(409, 'field_key_taken', 'There is a field with this key already')
export const FieldKeyRests = failure(
  409,
  'field_key_rests',
  `A field with this key was deleted less than ${restDays} days ago: choose another key`
)
export const FieldNotArchived = failure(409, 'field_not_archived', 'Archive the field before you delete it')

type Versioned = { id: number; expected_version?: number }

/** Adds a field. Throws `FieldKeyTaken`, `FieldKeyRests`, `TooManyFields`, `TooManyFilterable`, `InvalidFields`. */
export async function createField(
  services: ActServices & Pick<Services, 'jobs'>,
  actor: StaffActor,
  caller: Caller,
  { key, kind, ...changes }: Changes & { key: string; label: string; kind: FieldKind }
): Promise<Field> {
  return await act(services, { actor, caller }, async act => {
    const { db, now } = act
    const fields = await lockedFields(db)
    if (fields.some(field => field.key === key)) throw FieldKeyTaken({ errors: ['key'] })
    const [resting] = await restingKey(db, { key, since: secondsAfter(now, -restDays * daySeconds) })
    if (resting) throw FieldKeyRests({ errors: ['key'] })
    const position = Math.max(0, ...fields.map(({ position }) => position)) + 1
    const wanted = {
      ...blank,
      position: Math.min(position, 10_000),
      kind,
      ...definitionWith({ ...blank, kind }, changes)
    }
    requireRoom(fields, wanted)
    const [added] = await insert(db, { ...written(wanted), key, kind, now })
    if (wanted.is_filterable) await services.jobs.send(db, 'prepare-field-filter', { fieldId: added!.id })
    act.happened({ kind: 'field.created', subject: subjectOf(added!.id), after: { key, kind, ...factsOf(wanted) } })
    return await fieldWith(db, added!.id)
  })
}

/** Changes the given fields of a definition, never its key or kind. Throws `FieldNotFound`, `VersionConflict`, `TooManyFilterable`, `InvalidFields`. */
export async function updateField(
  services: ActServices & Pick<Services, 'jobs'>,
  actor: StaffActor,
  caller: Caller,
  { id, expected_version, key, kind, ...changes }: Changes & Versioned & { key?: string; kind?: FieldKind }
): Promise<Field> {
  return await act(services, { actor, caller }, async act => {
    const { db } = act
    const fields = await lockedFields(db)
    const former = await fieldWith(db, id)
    requireVersion(former.version, expected_version)
    if (kind !== undefined && kind !== former.kind) {
      throw InvalidFields({ message: 'The kind of a field never changes: make a new field', errors: ['kind'] })
    }
    if (key !== undefined && key !== former.key) {
      throw InvalidFields({ message: 'The key of a field never changes: make a new field', errors: ['key'] })
    }
    const wanted = { ...former, ...definitionWith(former, changes) }
    const [before, after] = [factsOf(former), factsOf(wanted)]
    const changed = (Object.keys(after) as (keyof typeof after)[]).filter(
      name => !isDeepStrictEqual(before[name], after[name])
    )
    if (changed.length === 0) return former
    if (!former.is_archived) {
      requireRoom(
        fields.filter(field => field.id !== id),
        wanted
      )
    }
    await rewrite(db, { ...written(wanted), id, now: act.now })
    if (changed.includes('is_filterable')) await services.jobs.send(db, 'prepare-field-filter', { fieldId: id })
    const picked = (facts: typeof after) => ({
      key: former.key,
      ...Object.fromEntries(changed.map(name => [name, facts[name]])),
      client_access: facts.client_access
    })
    act.happened({ kind: 'field.updated', subject: subjectOf(id), before: picked(before), after: picked(after) })
    return await fieldWith(db, id)
  })
}

/** Takes a field out of use or back into it: values stay. Throws `FieldNotFound`, `VersionConflict`, `TooManyFields`, `TooManyFilterable`. */
export async function setFieldArchived(
  services: ActServices,
  actor: StaffActor,
  caller: Caller,
  { id, expected_version }: Versioned,
  isArchived: boolean
): Promise<Field> {
  return await act(services, { actor, caller }, async act => {
    const { db, now } = act
    const fields = await lockedFields(db)
    const former = await fieldWith(db, id)
    requireVersion(former.version, expected_version)
    if (former.is_archived === isArchived) return former
    if (!isArchived) requireRoom(fields, former)
    await rewriteArchived(db, { id, isArchived, now })
    const { key, label, client_access } = former
    const facts = { subject: subjectOf(id), after: { key, label, client_access } }
    act.happened(isArchived ? { kind: 'field.archived', ...facts } : { kind: 'field.unarchived', ...facts })
    return await fieldWith(db, id)
  })
}

/**
 * Deletes an archived field that nothing uses; a job removes its values, and its key rests. Throws `FieldNotFound`, `VersionConflict`,
 * `FieldNotArchived`, `InUse`.
 */
export async function deleteField(
  services: ActServices & Pick<Services, 'jobs'>,
  actor: StaffActor,
  caller: Caller,
  { id, expected_version }: Versioned
): Promise<void> {
  await act(services, { actor, caller }, async act => {
    const { db, now } = act
    await lockedFields(db)
    const former = await fieldWith(db, id)
    requireVersion(former.version, expected_version)
    if (!former.is_archived) throw FieldNotArchived()
    await requireUnused(db, actor, { kind: 'field', id })
    await remove(db, { id })
    await retire(db, { id, key: former.key, now })
    const { key, kind } = former
    act.happened({ kind: 'field.deleted', subject: subjectOf(id), before: { key, kind, ...factsOf(former) } })
    await services.jobs.send(db, 'remove-field-values', { fieldId: id })
    if (former.is_filterable) await services.jobs.send(db, 'prepare-field-filter', { fieldId: id })
  })
}

/** All fields. Whoever else changes one waits until the transaction ends; values are set meanwhile. */
async function lockedFields(db: Db): Promise<Field[]> {
  await sql`lock table fields in share row exclusive mode`.execute(db)
  return await allFields(db)
}

/** Archived fields do not count. */
function requireRoom(others: readonly Field[], { is_filterable }: Pick<Field, 'is_filterable'>): void {
  const active = others.filter(field => !field.is_archived)
  if (active.length >= maxFields) throw TooManyFields()
  if (is_filterable && active.filter(field => field.is_filterable).length >= maxFilterable) throw TooManyFilterable()
}

function factsOf({ label, options, client_access, is_filterable, required_on, hint, position }: Definition) {
  return { label, options, client_access, is_filterable, required_on, hint, position }
}

function written(definition: Definition) {
  return { ...factsOf(definition), options: JSON.stringify(definition.options) }
}

function subjectOf(id: number) {
  return { type: 'field', id } as const
}

type Written = ReturnType<typeof written> & { now: Date }

const insert = prepared((db, p: Written & { key: string; kind: FieldKind }) =>
  db
    .insertInto('fields')
    .values({ ...columnsOf(p), key: p.key, kind: p.kind, created_at: p.now })
    .returning('id')
)

const rewrite = prepared((db, p: Written & { id: number }) =>
  db
    .updateTable('fields')
    .where('id', '=', p.id)
    .set(eb => ({
      ...columnsOf(p),
      // The index of a field by which lists are no longer filtered is dropped.
      is_filter_ready: sql<boolean>`is_filter_ready and ${p.is_filterable}::boolean`,
      version: eb('version', '+', 1)
    }))
)

function columnsOf(p: Written) {
  return {
    label: p.label,
    options: p.options,
    client_access: p.client_access,
    is_filterable: p.is_filterable,
    required_on: p.required_on,
    hint: p.hint,
    position: p.position,
    updated_at: p.now
  }
}

const rewriteArchived = prepared((db, p: { id: number; isArchived: boolean; now: Date }) =>
  db
    .updateTable('fields')
    .where('id', '=', p.id)
    .set(eb => ({ is_archived: p.isArchived, version: eb('version', '+', 1), updated_at: p.now }))
)

const remove = prepared((db, p: { id: number }) => db.deleteFrom('fields').where('id', '=', p.id))

const retire = prepared((db, p: { id: number; key: string; now: Date }) =>
  db.insertInto('deleted_fields').values({ field_id: p.id, key: p.key, deleted_at: p.now })
)

const restingKey = prepared((db, p: { key: string; since: Date }) =>
  db.selectFrom('deleted_fields').where('key', '=', p.key).where('deleted_at', '>', p.since).select('field_id')
)
