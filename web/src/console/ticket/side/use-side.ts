import type { DataOf } from '@deskline/client'
import { useCallback, useMemo, useState } from 'react'
import { useApiQuery } from '../../../app/api-queries.ts'
import { useSearch } from '../../../router/react.tsx'
import { useNavigate } from '../../navigation.ts'
import type { Detail } from '../thread-types.ts'
import type { Choosing } from '../use-split.ts'

export type Conversation = DataOf<'/api/admin/tickets/conversations/list'>['conversations'][number]

/** What is chosen to go along with a new side conversation. */
export interface Forwarding {
  choosing: Choosing
  files: ReadonlySet<number>
  toggleFile(id: number): void
}

/** The side conversations of a ticket: which one is open (`?side=7`), and what is chosen for a new one. */
export function useSide({ ticket }: Detail, isWanted: boolean) {
  const navigate = useNavigate()
  const { side } = useSearch<{ side?: string | number }>()
  const { data } = useApiQuery(
    '/api/admin/tickets/conversations/list',
    { id: ticket.id },
    { enabled: isWanted, staleTime: 60_000 }
  )
  const conversations = data?.conversations ?? none
  const open = conversations.find(({ id }) => String(id) === String(side))
  const show = useCallback(
    (id: number | undefined) =>
      void navigate({
        to: '.',
        params: former => former,
        search: (former: object) => ({ ...former, side: id }),
        replace: true
      }),
    [navigate]
  )
  const { forwarding, begin, stop } = useForwarding()
  return { conversations, open, show, forwarding, begin, stop }
}

const none: Conversation[] = []

function useForwarding() {
  const [chosen, setChosen] = useState<{ messages: ReadonlySet<number>; files: ReadonlySet<number> }>()
  const toggle = useCallback(
    (kind: 'messages' | 'files', id: number) =>
      setChosen(chosen => {
        if (!chosen) return chosen
        const now = new Set(chosen[kind])
        if (!now.delete(id)) now.add(id)
        return { ...chosen, [kind]: now }
      }),
    []
  )
  const begin = useCallback(
    (message?: { id: number; attachments: readonly { id: number }[] }) =>
      setChosen({
        messages: new Set(message ? [message.id] : []),
        files: new Set(message?.attachments.map(({ id }) => id))
      }),
    []
  )
  const forwarding = useMemo<Forwarding | undefined>(
    () =>
      chosen && {
        choosing: {
          kind: 'forward',
          messages: chosen.messages,
          notes: new Set(),
          first: undefined,
          toggle: ({ type, id }) => type === 'message' && toggle('messages', id)
        },
        files: chosen.files,
        toggleFile: id => toggle('files', id)
      },
    [chosen, toggle]
  )
  return { forwarding, begin, stop: useCallback(() => setChosen(undefined), []) }
}

/** The name of the third party: of the first whom staff have written to. */
export function partnerOf({ participants }: Pick<Conversation, 'participants'>): string {
  const [first] = participants
  return first?.name || first?.email || ''
}
