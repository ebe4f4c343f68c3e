import type { DataOf } from '@deskline/client'
import type { Draft } from '../../lib/drafts.ts'
import { t } from '../../lib/strings.ts'
import { listText } from '../../lib/times.ts'
import { priorityLabel, statusLabel } from '../../ui/status-icon.tsx'
import type { Priority, Status, Ticket } from './thread-types.ts'
import type { Colleague } from './ticket-colleagues.ts'

export type MacroResult = DataOf<'/api/admin/macros/preview'>['results'][number]

/** A macro that was chosen for a reply, with what it is going to change: nothing of it is done before the reply is sent. */
export interface ChosenMacro {
  id: number
  name: string
  results: MacroResult[]
  /** What it put into the reply; '' for nothing. */
  text: string
}

/** The macro of a draft. It is kept with the text. */
export function macroOf({ fields }: Pick<Draft, 'fields'>): ChosenMacro | undefined {
  return fields.macro ? { text: '', ...(JSON.parse(fields.macro) as Omit<ChosenMacro, 'text'>) } : undefined
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
  const done = results.filter(({ outcome }) => outcome === 'done')
  return listText(done.map(result => t(`thread.macro.${result.action}`, { value: shownValue(result, people, me) })))
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
  return { id: ticket.id, macro_id: macro.id, send: 1 as const, ...said }
}
