import { Zap } from 'lucide-react'
import { useMemo } from 'react'
import { post } from '../../app/api-client.ts'
import { useApiQuery } from '../../app/api-queries.ts'
import { failureText } from '../../app/failures.ts'
import { useMe } from '../../app/me.ts'
import { t } from '../../lib/strings.ts'
import { Avatar } from '../../ui/avatar.tsx'
import { toast } from '../../ui/toast.tsx'
import { awayText } from '../away.ts'
import { type ChosenMacro, fieldsSetBy } from './chosen-macro.ts'
import type { Suggestion } from './suggestions.tsx'
import type { Detail, Ticket } from './thread-types.ts'
import { useTicketColleagues } from './ticket-colleagues.ts'
import { mentionOf } from './word-at-caret.ts'

/** A list above the text area: its items, and the text that each inserts. */
export interface AutocompleteList {
  options: Suggestion[]
  name: string
  labelFor(query: string): string
  emptyText: string
  textOf(option: Suggestion): Promise<string | undefined>
}

/**
 * The macros of the ticket’s department that match the query; chosen, one is previewed for this ticket. Those without actions are canned replies. What a macro changes is given to
 * `onMacro`. Those that the person may not use come last, with the reason. No query: no list.
 */
export function useMacros(
  { id: ticketId, department: { deptid } }: Ticket,
  query: string | undefined,
  onMacro: (macro: ChosenMacro) => void
): AutocompleteList {
  const found = useApiQuery(
    '/api/admin/macros/list',
    { limit: 50, deptid, ...(query && { search: query }) },
    // The previous list stays until the next one is loaded.
    { enabled: query !== undefined, placeholderData: former => former, staleTime: 60_000 }
  )
  const options = useMemo(
    () =>
      (found.data?.macros ?? [])
        .toSorted((one, other) => one.missing_permissions.length - other.missing_permissions.length)
        .map(({ id, name, reply_text, actions, missing_permissions: missing }) => ({
          id,
          title: name,
          line:
            missing.length > 0 ? t('thread.macroMissing', { permissions: missing.join(', ') }) : firstLine(reply_text),
          ...(actions.length > 0 && { icon: <Zap size={16} aria-hidden /> }),
          ...(actions.length > 0 && { mark: t('thread.macroChanges', { count: actions.length }) }),
          isLocked: missing.length > 0
        })),
    [found.data]
  )
  return {
    options,
    name: t('thread.cannedReplies'),
    labelFor: query => (query ? t('thread.cannedFor', { query: `/${query}` }) : t('thread.cannedReplies')),
    emptyText: found.isPending ? t('thread.looking') : t('thread.noCanned'),
    textOf: ({ id, title: name }) => textOfMacro(ticketId, { id, name }, onMacro)
  }
}

/** The text of a macro for this ticket, while what it changes is given to `onMacro`; undefined if it cannot be told. */
export async function textOfMacro(
  ticketId: number,
  { id, name }: { id: number; name: string },
  onMacro: (macro: ChosenMacro) => void
): Promise<string | undefined> {
  try {
    const { macro, results, reply } = await post('/api/admin/macros/preview', { id: ticketId, macro_id: id })
    const text = reply?.text ?? ''
    if (results.length > 0) onMacro({ id, name, results, fields: fieldsSetBy(macro, results), text })
    const unset = reply?.unset ?? []
    if (unset.length > 0) toast({ text: t('thread.macroUnset', { names: unset.join(', ') }), tone: 'bad' })
    return text
  } catch (error) {
    toast({ text: failureText(error), tone: 'bad' })
  }
}

const maxMentions = 8

/** The colleagues whose names match the query, to mention in a note. */
export function useMentions(detail: Detail, query: string | undefined): AutocompleteList {
  const me = useMe()
  const colleagues = useTicketColleagues(detail)
  const options = useMemo(() => {
    if (query === undefined) return []
    const wanted = query.toLocaleLowerCase().replaceAll('.', ' ')
    return colleagues
      .filter(({ id, name }) => id !== me.id && name.toLocaleLowerCase().includes(wanted))
      .slice(0, maxMentions)
      .map(({ id, name, away_until }) => ({
        id,
        title: name,
        line: [mentionOf(name), awayText(away_until)].filter(Boolean).join(' · '),
        icon: <Avatar person={{ id, name, kind: 'staff' }} size={22} />
      }))
  }, [colleagues, query, me.id])
  return {
    options,
    name: t('thread.colleagues'),
    labelFor: query => (query ? t('thread.colleaguesFor', { query: `@${query}` }) : t('thread.colleagues')),
    emptyText: t('thread.nobodyCalledThat'),
    textOf: async ({ title }) => `${mentionOf(title)} `
  }
}

function firstLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ').slice(0, 120)
}
