import type { Db } from '../../core/db.ts'
import { allFields, type Field } from '../fields/fields.ts'
import { type Action, entryOf } from './action-values.ts'
import { statesOf } from './named-states.ts'
import { unknownFields } from './placeholder-values.ts'
import { fieldKeysIn } from './placeholders.ts'
import { isForClient, textsOf } from './schemas.ts'
import { type ActionUse, inWords, usesOfActions } from './stored-actions.ts'

/** Why a definition does not do all that it says: something that it names is gone or out of use. */
export interface Attention {
  /** `staff_out_of_use`, `tag_gone`. */
  reason: string
  text: string
  /** What is gone or out of use, or the other rule. */
  name: string
  /** How often it was stopped by the other rule. */
  count?: number
}

/** A definition with actions, as far as it may need attention. */
interface Attended {
  actions: readonly Action[]
  /** What it names beside its actions. */
  others?: readonly ActionUse[]
  /** What its conditions name: it still fits tickets while it is out of use, and none when it is gone. */
  asked?: readonly ActionUse[]
  /** What it says to clients beside its actions, by where that is. */
  texts?: Readonly<Record<string, string>>
}

/** What needs attention in each of these definitions by what they name, in their order. */
export async function attentionOf(db: Db, definitions: readonly Attended[]): Promise<Attention[][]> {
  const uses = definitions.map(({ actions, others = [], asked = [] }) => [
    ...asked,
    ...others,
    ...usesOfActions(actions)
  ])
  const states = await statesOf(db, uses.flat())
  const isAboutFields = definitions.some(
    ({ actions, texts = {} }) =>
      actions.some(action => 'set_field' in action) || fieldKeysIn(allTexts(actions, texts)).length > 0
  )
  const fields = isAboutFields ? await allFields(db) : []
  return definitions.map(({ actions, asked = [], texts = {} }, at) => [
    ...uses[at]!.flatMap(use => {
      const state = states(use)
      if (state === 'fine' || (state === 'out_of_use' && asked.includes(use))) return []
      const name = states.nameOf(use) ?? `${use.kind} ${use.id}`
      return [{ reason: `${use.kind}_${state}`, text: `${use.where}: ${name} ${inWords[state]}`, name }]
    }),
    ...actions.flatMap((action, place) =>
      attentionOfFields(fields, action, `actions.${place}.${entryOf(action).kind}`)
    ),
    ...Object.entries(texts).flatMap(([where, text]) => attentionOfTexts(fields, [text], where, true))
  ])
}

function allTexts(actions: readonly Action[], others: Readonly<Record<string, string>> = {}): string[] {
  return [...actions.flatMap(action => Object.values(textsOf(action))), ...Object.values(others)]
}

/** Archived options that an action sets, and fields in its texts that there are no more, or that clients do not see any more. */
function attentionOfFields(fields: readonly Field[], action: Action, where: string): Attention[] {
  const ofTexts = attentionOfTexts(fields, Object.values(textsOf(action)), where, isForClient(action))
  const set = 'set_field' in action ? action.set_field : undefined
  const field = set && fields.find(({ id }) => id === set.key)
  if (!field || field.is_archived) return ofTexts
  const chosen = [set.value].flat()
  return field.options
    .filter(({ id, is_archived }) => is_archived && chosen.includes(id))
    .map(({ label }) => {
      const name = `${field.label}: ${label}`
      return { reason: 'option_out_of_use', text: `${where}: ${name} ${inWords.out_of_use}`, name }
    })
}

function attentionOfTexts(
  fields: readonly Field[],
  texts: readonly string[],
  where: string,
  areForClient: boolean
): Attention[] {
  return unknownFields(fields, texts, { isForClient: areForClient }).map(key => {
    const name = `{{field.${key}}}`
    return { reason: 'placeholder_gone', text: `${where}: ${name} ${inWords.gone}`, name }
  })
}
