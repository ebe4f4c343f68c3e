import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { sql } from 'kysely'
import type { Db } from '../../src/core/db.ts'
import type { KindOfEvent } from '../../src/core/events/catalogue/kind-of-event.ts'
import { eventKinds } from '../../src/core/events/catalogue.ts'

const ajv = new Ajv2020({ strict: false, validateSchema: false })
addFormats.default(ajv)
const checks = new Map<string, ValidateFunction>()

/**
 * Throws if an event in this database is not as the catalogue says. Events of tickets that are gone have lost their words, which a trigger does
 * in the database, and are left out.
 */
export async function requireEventShapes(db: Db): Promise<void> {
  const { rows } = await sql<{ kind: string; before: unknown; after: unknown }>`
    select kind, before::json as before, after::json as after
    from (select distinct kind, before::text as before, after::text as after from events
      where ticket_id is null or exists (select from tickets where tickets.id = events.ticket_id)) as event`.execute(db)
  const faults = rows.flatMap(({ kind, ...facts }) =>
    (['before', 'after'] as const).flatMap(at => {
      const check = checkOf(kind, at)
      if (check(facts[at])) return []
      return [`${kind} ${at}: ${JSON.stringify(facts[at])}: ${ajv.errorsText(check.errors)}`]
    })
  )
  if (faults.length > 0) throw new Error(`Events that the catalogue does not know so:\n${faults.join('\n')}`)
}

function checkOf(kind: string, at: 'before' | 'after'): ValidateFunction {
  const key = `${kind} ${at}`
  const known = (eventKinds as Record<string, KindOfEvent>)[kind]
  const check = checks.get(key) ?? ajv.compile(known ? (known[at] ?? { type: 'null' }) : false)
  checks.set(key, check)
  return check
}
