import type { NamedThing } from '../../core/definitions/uses.ts'
import { eventFieldNamed } from './event-fields.ts'
import { customIdOf, fieldNamed, type NamedKind } from './fields.ts'
import type { Conditions } from './schemas.ts'

/** What these stored conditions name: departments by deptid, tags by id. */
export function usesIn(conditions: Conditions): (NamedThing & { kind: NamedKind })[] {
  return conditions.all.flatMap(({ any }, group) =>
    any.flatMap(({ field, value }, place) => {
      const custom = customIdOf(field)
      const where = `conditions.all.${group}.any.${place}`
      if (custom !== undefined) return [{ kind: 'field' as const, id: custom, where }]
      const kind = (fieldNamed(field) ?? eventFieldNamed(field))?.names
      if (!kind) return []
      return [value].flat().flatMap(id => (typeof id === 'number' ? [{ kind, id, where }] : []))
    })
  )
}
