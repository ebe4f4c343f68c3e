import { Type } from 'typebox'
import { faultFinder, unfitText } from '../../kit/input.ts'
import { actionKinds } from './action-kinds.ts'
import { type Action, type ActionKind, entryOf } from './action-values.ts'
import { placeholderFault } from './placeholders.ts'

const maxActions = 10

/** One action, as it is sent and shown. */
export const ActionItem = Type.Object(
  Object.fromEntries(Object.entries(actionKinds).map(([kind, { schema }]) => [kind, Type.Optional(schema)])),
  { minProperties: 1, maxProperties: 1 }
)

/** What a macro or a rule does, in order: what `actionFaults` lets through. */
export const Actions = Type.Unsafe<Action[]>({
  type: 'array',
  maxItems: maxActions,
  items: ActionItem,
  description: `What is done, in this order: each is an object with one action. At most ${maxActions}.`,
  examples: [[{ set_priority: 'High' }, { add_tags: ['vip'] }]],
  'x-check': actionFaults
})

/** The same where there has to be one. */
export const SomeActions = Type.Unsafe<Action[]>({ ...Actions, minItems: 1 })

const finders = Object.fromEntries(
  Object.entries(actionKinds).map(([kind, { schema }]) => [kind, faultFinder(schema)])
) as Record<ActionKind, ReturnType<typeof faultFinder>>

/** What is wrong with actions as they were sent, and where: `.0.set_status`. */
function actionFaults(given: unknown): { at: string; fault: string }[] {
  if (!Array.isArray(given)) return [{ at: '', fault: 'must be a list of actions' }]
  if (given.length > maxActions) return [{ at: '', fault: `must have at most ${maxActions} entries` }]
  if (!given.every(isFilledObject)) return [{ at: '', fault: 'must be a list of objects with one action each' }]
  return given.flatMap((action: object, place) => {
    const at = `.${place}`
    if (Object.keys(action).length !== 1) return [{ at, fault: 'must be an object with one action' }]
    const [[kind, value]] = Object.entries(action) as [[string, unknown]]
    if (!Object.hasOwn(finders, kind)) {
      const name = kind.toWellFormed().slice(0, 100)
      return [{ at: `${at}.${name}`, fault: `is no action; there are: ${Object.keys(actionKinds).join(', ')}` }]
    }
    const fault = finders[kind as ActionKind](value)
    if (fault) return [{ at: `${at}.${kind}${fault.at}`, fault: fault.fault }]
    return textFaults(action as Action).map(({ at: within, fault }) => ({ at: `${at}.${kind}${within}`, fault }))
  })
}

function isFilledObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && Object.keys(value).length > 0
}

function textFaults(action: Action): { at: string; fault: string }[] {
  const { kind, value } = entryOf(action)
  if (kind === 'add_tags' || kind === 'remove_tags') {
    const unfit = unfitText(value)
    return unfit ? [{ at: '', fault: unfit }] : []
  }
  return Object.entries(textsOf(action)).flatMap(([at, text]) => {
    const fault = text.trim() === '' ? 'is missing' : (unfitText(text) ?? placeholderFault(text))
    return fault ? [{ at, fault }] : []
  })
}

/** The texts of an action in which placeholders are filled, by where they are in its value. */
export function textsOf(action: Action): Record<string, string> {
  const { kind, value } = entryOf(action)
  return (actionKinds[kind].texts as ((value: unknown) => Record<string, string>) | undefined)?.(value) ?? {}
}

/** Whether clients read its texts. */
export function isForClient(action: Action): boolean {
  return 'email_client' in action || 'split_off' in action
}
