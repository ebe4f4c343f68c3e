import { isDeepStrictEqual } from 'node:util'
import { sql } from 'kysely'
import type { StaffActor } from '../../core/actor.ts'
import { type Act, type ActServices, act } from '../../core/acts/act.ts'
import { type Db, prepared } from '../../core/db.ts'
import { saveUses } from '../../core/definitions/uses.ts'
import type { Caller } from '../../kit/caller.ts'
import { failure } from '../../kit/errors.ts'
import { requireVersion } from '../../kit/versions.ts'
import {
  blankForm,
  checkForm,
  definitionWith,
  type FormChanges,
  type FormDefinition,
  usesOfForm
} from './form-definition.ts'
import { allForms, formWith, type TicketForm } from './forms.ts'

const maxForms = 100

export const TooManyTicketForms = failure(
  409,
  'too_many_ticket_forms',
  `There are ${maxForms} ticket forms already: archive one first`
)
export const DepartmentHasForm = failure(409, 'department_has_form', 'The department has another form already')
export const TicketFormArchived = failure(
  409,
  'ticket_form_archived',
  'An archived form cannot be the default: take it back first'
)

type Versioned = { id: number; expected_version?: number }

/** Adds a form. Throws `InvalidFields`, `TooManyTicketForms`, `DepartmentHasForm`. */
export async function createForm(
  services: ActServices,
  actor: StaffActor,
  caller: Caller,
  given: FormChanges & { name: string }
): Promise<TicketForm> {
  return await act(services, { actor, caller }, async act => {
    const { db, now } = act
    const forms = await lockedForms(db)
    if (forms.filter(({ is_archived }) => !is_archived).length >= maxForms) throw TooManyTicketForms()
    const wanted = await definitionWith(db, blankForm, given)
    await checkForm(db, wanted)
    requireFree(forms, wanted)
    if (wanted.is_default) await dropDefault(act, forms)
    const [added] = await insert(db, { ...written(wanted), now })
    const id = added!.id
    await saveUses(db, usingForm(id), usesOfForm(wanted))
    act.happened({ kind: 'ticket_form.created', subject: usingForm(id), after: factsOf(wanted) })
    return await formWith(db, id)
  })
}

/**
 * Changes the given fields; lists are replaced whole. Throws `TicketFormNotFound`, `VersionConflict`, `InvalidFields`, `DepartmentHasForm`,
 * `TicketFormArchived`.
 */
export async function updateForm(
  services: ActServices,
  actor: StaffActor,
  caller: Caller,
  { id, expected_version, ...changes }: FormChanges & Versioned
): Promise<TicketForm> {
  return await act(services, { actor, caller }, async act => {
    const { db, now } = act
    const forms = await lockedForms(db)
    const former = await formWith(db, id)
    requireVersion(former.version, expected_version)
    const wanted = await definitionWith(db, former, changes)
    await checkForm(db, wanted, former)
    const changed = changedNames(former, wanted)
    if (changed.length === 0) return former
    if (former.is_archived && wanted.is_default) throw TicketFormArchived({ errors: ['is_default'] })
    const others = forms.filter(form => form.id !== id)
    if (!former.is_archived) requireFree(others, wanted)
    if (wanted.is_default) await dropDefault(act, others)
    await rewrite(db, { ...written(wanted), id, now })
    if (!former.is_archived) await saveUses(db, usingForm(id), usesOfForm(wanted))
    act.happened({
      kind: 'ticket_form.updated',
      subject: usingForm(id),
      before: picked(former, changed),
      after: picked(wanted, changed)
    })
    return await formWith(db, id)
  })
}

/**
 * Takes a form out of use, and it is no default any more; or takes it back. Throws `TicketFormNotFound`, `VersionConflict`, and, where it is taken
 * back, `TooManyTicketForms`, `DepartmentHasForm`, and `InvalidFields` if it names what is gone.
 */
export async function setFormArchived(
  services: ActServices,
  actor: StaffActor,
  caller: Caller,
  { id, expected_version }: Versioned,
  isArchived: boolean
): Promise<TicketForm> {
  return await act(services, { actor, caller }, async act => {
    const { db, now } = act
    const forms = await lockedForms(db)
    const former = await formWith(db, id)
    requireVersion(former.version, expected_version)
    if (former.is_archived === isArchived) return former
    if (!isArchived) {
      if (forms.filter(({ is_archived }) => !is_archived).length >= maxForms) throw TooManyTicketForms()
      await checkForm(db, former, former)
      requireFree(forms, former)
    }
    await rewriteArchived(db, { id, isArchived, now })
    await saveUses(db, usingForm(id), isArchived ? [] : usesOfForm(former))
    if (isArchived) act.happened({ kind: 'ticket_form.archived', subject: usingForm(id), before: factsOf(former) })
    else act.happened({ kind: 'ticket_form.unarchived', subject: usingForm(id), after: factsOf(former) })
    return await formWith(db, id)
  })
}

/** Deletes a form; nothing names forms. Throws `TicketFormNotFound`, `VersionConflict`. */
export async function deleteForm(
  services: ActServices,
  actor: StaffActor,
  caller: Caller,
  { id, expected_version }: Versioned
): Promise<void> {
  await act(services, { actor, caller }, async act => {
    const { db } = act
    await lockedForms(db)
    const former = await formWith(db, id)
    requireVersion(former.version, expected_version)
    await remove(db, { id })
    act.happened({ kind: 'ticket_form.deleted', subject: usingForm(id), before: factsOf(former) })
  })
}

/** All forms. Whoever else changes one waits until the transaction ends, and so does whoever changes a field that it may name. */
async function lockedForms(db: Db): Promise<TicketForm[]> {
  await sql`lock table fields in share mode`.execute(db)
  await sql`lock table ticket_forms in share row exclusive mode`.execute(db)
  return await allForms(db)
}

/** Archived forms hold no department back. */
function requireFree(others: readonly TicketForm[], { deptids }: FormDefinition): void {
  const [taken] = others
    .filter(({ is_archived }) => !is_archived)
    .flatMap(({ name, deptids: theirs }) => theirs.filter(id => deptids.includes(id)).map(id => ({ id, name })))
  if (!taken) return
  throw DepartmentHasForm({
    message: `The department ${taken.id} has the form “${taken.name}” already`,
    errors: ['deptids']
  })
}

/** One form at most is the default: whichever was it is not any more. */
async function dropDefault(act: Act, others: readonly TicketForm[]): Promise<void> {
  const former = others.find(({ is_default }) => is_default)
  if (!former) return
  const wanted = { ...former, is_default: false }
  await rewrite(act.db, { ...written(wanted), id: former.id, now: act.now })
  act.happened({
    kind: 'ticket_form.updated',
    subject: usingForm(former.id),
    before: picked(former, ['is_default']),
    after: picked(wanted, ['is_default'])
  })
}

function changedNames(before: FormDefinition, after: FormDefinition): (keyof FormDefinition)[] {
  const [former, wanted] = [factsOf(before), factsOf(after)]
  return (Object.keys(wanted) as (keyof FormDefinition)[]).filter(
    name => !isDeepStrictEqual(former[name], wanted[name])
  )
}

/** What the log says of a form. */
function factsOf({ name, deptids, items, is_default }: FormDefinition): FormDefinition {
  return { name, deptids, items, is_default }
}

/** The changed facts, and the name, by which people know it. */
function picked(form: FormDefinition, changed: readonly (keyof FormDefinition)[]) {
  return { name: form.name, ...Object.fromEntries(changed.map(name => [name, form[name]])) }
}

function usingForm(id: number) {
  return { kind: 'ticket_form', type: 'ticket_form', id } as const
}

function written({ name, deptids, items, is_default }: FormDefinition) {
  return { name, deptids, items: JSON.stringify(items), is_default }
}

type Written = ReturnType<typeof written> & { now: Date }

const insert = prepared((db, p: Written) =>
  db
    .insertInto('ticket_forms')
    .values({ ...columnsOf(p), created_at: p.now })
    .returning('id')
)

const rewrite = prepared((db, p: Written & { id: number }) =>
  db
    .updateTable('ticket_forms')
    .where('id', '=', p.id)
    .set(eb => ({ ...columnsOf(p), version: eb('version', '+', 1) }))
)

function columnsOf(p: Written) {
  return { name: p.name, deptids: p.deptids, items: p.items, is_default: p.is_default, updated_at: p.now }
}

const rewriteArchived = prepared((db, p: { id: number; isArchived: boolean; now: Date }) =>
  db
    .updateTable('ticket_forms')
    .where('id', '=', p.id)
    .set(eb => ({ is_archived: p.isArchived, is_default: false, version: eb('version', '+', 1), updated_at: p.now }))
)

const remove = prepared((db, p: { id: number }) => db.deleteFrom('ticket_forms').where('id', '=', p.id))
