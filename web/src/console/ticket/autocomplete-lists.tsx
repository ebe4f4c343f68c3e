import { useMemo } from 'react'
import { post } from '../../app/api-client.ts'
import { useApiQuery } from '../../app/api-queries.ts'
import { failureText } from '../../app/failures.ts'
import { useMe } from '../../app/me.ts'
import { t } from '../../lib/strings.ts'
import { Avatar } from '../../ui/avatar.tsx'
import { toast } from '../../ui/toast.tsx'
import type { Suggestion } from './suggestions.tsx'
import type { Detail } from './thread-types.ts'
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

/** The canned replies that match the query, rendered for this ticket when chosen. No query: no list. */
export function useCannedReplies(ticketId: number, query: string | undefined): AutocompleteList {
  const found = useApiQuery(
    '/api/admin/canned-replies/list',
    { limit: 50, ...(query && { search: query }) },
    // The previous list stays until the next one is loaded.
    { enabled: query !== undefined, placeholderData: former => former, staleTime: 60_000 }
  )
  const options = useMemo(
    () => found.data?.canned_replies.map(({ id, title, text }) => ({ id, title, line: firstLine(text) })) ?? [],
    [found.data]
  )
  return {
    options,
    name: t('thread.cannedReplies'),
    labelFor: query => (query ? t('thread.cannedFor', { query: `/${query}` }) : t('thread.cannedReplies')),
    emptyText: found.isPending ? t('thread.looking') : t('thread.noCanned'),
    async textOf({ id }) {
      try {
        const data = await post('/api/admin/canned-replies/render', { id, ticket_id: ticketId })
        return data.text
      } catch (error) {
        toast({ text: failureText(error), tone: 'bad' })
      }
    }
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
      .map(({ id, name }) => ({
        id,
        title: name,
        line: mentionOf(name),
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
