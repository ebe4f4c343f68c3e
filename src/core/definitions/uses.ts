import { sql } from 'kysely'
import { type Static, Type } from 'typebox'
import { failure } from '../../kit/errors.ts'
import { Id, OneOf, OutputText } from '../../kit/schemas.ts'
import { type Db, prepared } from '../db.ts'
import type { DefinitionKind, UsingKind } from '../tables/definitions.ts'
import { definitionNames, usingKinds } from './definition-names.ts'

/** A definition, or something that definitions name, by its public id. */
export interface Definition<Kind extends DefinitionKind = DefinitionKind> {
  kind: Kind
  id: number
}

/** What a definition names, and where in it: `conditions.all.0.any.1`. */
export interface NamedThing extends Definition {
  where: string
}

/** A definition that uses another. */
export type DefinitionUse = Static<typeof DefinitionUse>
export const DefinitionUse = Type.Object({
  kind: OneOf(usingKinds),
  id: Id(),
  name: OutputText('Waiting in billing'),
  where: OutputText('conditions.all.0.any.0')
})

export const InUse = failure(
  409,
  'in_use',
  'Other definitions use this: change them first',
  Type.Object({ uses: Type.Array(DefinitionUse) })
)

/** Records what a definition names, whenever it is saved: exactly these. The database forgets it with the definition itself. */
export async function saveUses(db: Db, by: Definition<UsingKind>, uses: readonly NamedThing[]): Promise<void> {
  await removeUses(db, { kind: by.kind, id: by.id })
  if (uses.length > 0) await insertUses(db, { kind: by.kind, id: by.id, uses: JSON.stringify(uses) })
}

/** Records that whatever used one now uses another. */
export async function replaceUsed(db: Db, kind: DefinitionKind, from: number, into: number): Promise<void> {
  await copyUses(db, { kind, from, into })
  await removeUsesOf(db, { kind, id: from })
}

/** The definitions that use this one, as far as the actor may know of them. */
export async function usesOf(db: Db, actor: { id: number | null }, used: Definition): Promise<DefinitionUse[]> {
  const rows = await usesByKind(db, { kind: used.kind, id: used.id })
  const uses: DefinitionUse[] = []
  for (const [kind, ofKind] of Map.groupBy(rows, ({ by_kind }) => by_kind)) {
    const names = await definitionNames(db, kind, { ids: ofKind.map(({ by_id }) => by_id), staff: actor.id })
    for (const { by_id: id, where } of ofKind) {
      const name = names.get(id)
      if (name !== undefined) uses.push({ kind, id, name, where })
    }
  }
  return uses
}

/** Refuses to delete what other definitions use. Call it with the row locked. Throws `InUse`. */
export async function requireUnused(db: Db, actor: { id: number | null }, used: Definition): Promise<void> {
  const uses = await usesOf(db, actor, used)
  if (uses.length === 0) return
  const names = [...new Set(uses.map(({ name }) => name))]
  throw InUse({ message: `${InUse.text}: ${names.join(', ')}`, data: { uses } })
}

const removeUses = prepared((db, p: { kind: UsingKind; id: number }) =>
  db.deleteFrom('definition_uses').where('by_kind', '=', p.kind).where('by_id', '=', p.id)
)

const insertUses = prepared((db, p: { kind: UsingKind; id: number; uses: string }) =>
  db
    .insertInto('definition_uses')
    .columns(['used_kind', 'used_id', 'by_kind', 'by_id', 'where'])
    .expression(db =>
      db
        .selectFrom(
          sql<NamedThing>`json_to_recordset(${p.uses}::json)`.as<'use'>(sql`use(kind text, id bigint, "where" text)`)
        )
        .select(['use.kind', 'use.id'])
        .select([sql<UsingKind>`${p.kind}::text`.as('by_kind'), sql<number>`${p.id}::bigint`.as('by_id'), 'use.where'])
    )
    .onConflict(conflict => conflict.doNothing())
)

const usesByKind = prepared((db, p: { kind: DefinitionKind; id: number }) =>
  db
    .selectFrom('definition_uses')
    .where('used_kind', '=', p.kind)
    .where('used_id', '=', p.id)
    .select(['by_kind', 'by_id', 'where'])
    .orderBy('by_kind')
    .orderBy('by_id')
    .orderBy('where')
)

const copyUses = prepared((db, p: { kind: DefinitionKind; from: number; into: number }) =>
  db
    .insertInto('definition_uses')
    .columns(['used_kind', 'used_id', 'by_kind', 'by_id', 'where'])
    .expression(db =>
      db
        .selectFrom('definition_uses')
        .where('used_kind', '=', p.kind)
        .where('used_id', '=', p.from)
        .select(['used_kind', sql<number>`${p.into}::bigint`.as('used_id'), 'by_kind', 'by_id', 'where'])
    )
    .onConflict(conflict => conflict.doNothing())
)

const removeUsesOf = prepared((db, p: { kind: DefinitionKind; id: number }) =>
  db.deleteFrom('definition_uses').where('used_kind', '=', p.kind).where('used_id', '=', p.id)
)
