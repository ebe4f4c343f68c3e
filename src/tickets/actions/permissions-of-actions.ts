import { type DeskActor, hasPermission } from '../../core/actor.ts'
import type { Permission } from '../../core/permissions.ts'
import { actionKinds } from './action-kinds.ts'
import { type Action, entryOf } from './action-values.ts'

/** For each of these actions the permissions of which one suffices, if this actor does it by hand. */
function permissionsOfActions(actions: readonly Action[], actor: DeskActor): (readonly Permission[])[] {
  return actions.map(action => {
    const { kind, value } = entryOf(action)
    const { needs } = actionKinds[kind]
    return typeof needs === 'function'
      ? (needs as (value: unknown, actor: number | null) => readonly Permission[])(value, actor.id)
      : needs
  })
}

/** The permissions that this actor lacks for these actions; of several that would each do, the first. */
export function missingPermissions(actions: readonly Action[], actor: DeskActor): Permission[] {
  const missing = permissionsOfActions(actions, actor).flatMap(anyOf =>
    hasPermission(actor, ...anyOf) ? [] : [anyOf[0]!]
  )
  return [...new Set(missing)]
}
