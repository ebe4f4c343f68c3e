import type { Db } from '../../core/db.ts'
import type { NamedThing } from '../../core/definitions/uses.ts'
import { allFields, keepFields } from '../fields/fields.ts'
import { type Action, entryOf } from './action-values.ts'
import { fieldKeysIn } from './placeholders.ts'
import { textsOf } from './schemas.ts'

/** The custom fields that texts name, for `definition_uses`; kept from being deleted until the transaction ends. */
export async function usesOfTexts(
  db: Db,
  actions: readonly Action[],
  others: Readonly<Record<string, string>> = {}
): Promise<NamedThing[]> {
  const texts = [
    ...actions.flatMap((action, place) =>
      Object.values(textsOf(action)).map(text => ({ where: `actions.${place}.${entryOf(action).kind}`, text }))
    ),
    ...Object.entries(others).map(([where, text]) => ({ where, text }))
  ]
  if (fieldKeysIn(texts.map(({ text }) => text)).length === 0) return []
  const fields = await allFields(db)
  const uses = texts.flatMap(({ where, text }) =>
    fieldKeysIn([text]).flatMap(key => {
      const field = fields.find(field => field.key === key)
      return field ? [{ kind: 'field' as const, id: field.id, where }] : []
    })
  )
  await keepFields(
    db,
    uses.map(({ id }) => id)
  )
  return uses
}
