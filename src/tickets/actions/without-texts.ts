import { type Action, entryOf } from './action-values.ts'
import { textsOf } from './schemas.ts'

/** Actions for the audit log, which is kept for ever, each in a line: `set_priority "High"`. Their texts are left out. */
export function withoutTexts(actions: readonly Action[]): string[] {
  return actions.map(action => {
    const { kind, value } = entryOf(action)
    const places = Object.keys(textsOf(action))
    const shown = JSON.stringify(value, (name, each: unknown) =>
      places.includes(name === '' ? '' : `.${name}`) ? '…' : each
    )
    return `${kind} ${shown}`
  })
}
