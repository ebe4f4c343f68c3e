import type { DataOf } from '@deskline/client'
import type { FieldValue } from '../../app/custom-fields/custom-field.ts'
import type { Draft } from '../../lib/drafts.ts'
import { t } from '../../lib/strings.ts'
import { listText } from '../../lib/times.ts'
import { priorityLabel, statusLabel } from '../../ui/status-icon.tsx'
import type { Priority, Status, Ticket } from './thread-types.ts'
import type { Colleague } from './ticket-colleagues.ts'

type Preview = DataOf<'/api/admin/macros/preview'>
export type MacroResult = Preview['results'][number]
export type MacroAction = MacroResult['action']

/** A macro that was chosen for a reply, with what it is going to change: nothing of it is done before the reply is sent. */
export interface ChosenMacro {
  id: number
  name: string
  results: MacroResult[]
  /** The values that it gives to custom fields, by their keys; null: none. */
  fields?: Record<string, FieldValue | null>
  /** The kinds of its actions that are left out. */
  without?: MacroAction[]
  /** What it put into the reply; '' for nothing. */
  text: string
}

/** The macro of a draft. It is kept with the text. */
export function macroOf({ fields }: Pick<Draft, 'fields'>): ChosenMacro | undefined {
  return fields.macro ? { text: '', ...(JSON.parse(fields.macro) as Omit<ChosenMacro, 'text'>) } : undefined
}

/** The values that a macro gives to custom fields: the results of its actions come in their order. */
export function fieldsSetBy({ actions }: Preview['macro'], results: readonly MacroResult[]): ChosenMacro['fields'] {
  const ofFields = results.filter(({ action }) => action === 'set_field')
  const keys = actions.flatMap(action =>
    'set_field' in action && action.set_field ? [String(action.set_field.key)] : []
  )
  return Object.fromEntries(
    ofFields.flatMap(({ outcome, to }, at) => (outcome === 'done' ? [[keys[at], to as FieldValue | null]] : []))
  )
}

/** The macro without its actions of one kind; undefined if it then changes nothing any more. */
export function withoutAction(macro: ChosenMacro, action: MacroAction): ChosenMacro | undefined {
  const results = macro.results.filter(each => each.action !== action)
  const { fields, ...rest } = macro
  if (results.length === 0) return undefined
  const kept = action === 'set_field' || !fields ? {} : { fields }
  return { ...rest, ...kept, results, without: [...(macro.without ?? []), action] }
}

/** The text without what the macro put into it, unless somebody has written within it. */
export function textWithout({ text }: ChosenMacro, draft: string): string {
  return text === '' ? draft : draft.replace(text, '')
}

/** The status that the macro sets, if any. */
export function statusSetBy(macro: ChosenMacro | undefined): Status | undefined {
  return macro?.results.findLast(({ action, outcome }) => action === 'set_status' && outcome === 'done')?.to as
    | Status
    | undefined
}

/** The fields of a draft with this macro, or without one. */
export function fieldsWith({ fields }: Pick<Draft, 'fields'>, macro: ChosenMacro | undefined): Draft['fields'] {
  return { ...fields, macro: macro ? JSON.stringify(macro) : '' }
}

/** What a macro changes, in words: "sets High, assigns you and adds vip". */
export function changesInWords({ results }: ChosenMacro, people: readonly Colleague[], me: number): string {
  return listText(results.filter(({ outcome }) => outcome === 'done').map(result => changeInWords(result, people, me)))
}

/** "sets High" */
export function changeInWords(result: MacroResult, people: readonly Colleague[], me: number): string {
  return t(`thread.macro.${result.action}`, { value: shownValue(result, people, me) })
}

function shownValue({ action, from, to }: MacroResult, people: readonly Colleague[], me: number): string {
  switch (action) {
    case 'set_status':
      return statusLabel(to as Status)
    case 'set_priority':
      return priorityLabel(to as Priority)
    case 'assign':
    case 'watch':
      if (to === null) return t('thread.macroNobody')
      return to === me ? t('thread.macroYou') : (people.find(({ id }) => id === to)?.name ?? t('thread.aColleague'))
    case 'add_tags':
      return listText(without(to, from))
    case 'remove_tags':
      return listText(without(from, to))
    default:
      return ''
  }
}

function without(names: unknown, others: unknown): string[] {
  return (names as string[]).filter(name => !(others as string[]).includes(name))
}

/** What the API is told of a reply with a macro. */
export function withMacro(macro: ChosenMacro, ticket: Ticket, text: string) {
  const said = text.trim() === '' ? { without_reply: 1 as const } : { reply: text }
  return {
    id: ticket.id,
    macro_id: macro.id,
    send: 1 as const,
    ...(macro.without && { without: macro.without }),
    ...said
  }
}
