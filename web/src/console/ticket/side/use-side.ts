import type { DataOf } from '@deskline/client'
import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { useApiQuery } from '../../../app/api-queries.ts'
import { useMe } from '../../../app/me.ts'
import { useStore } from '../../../lib/store.ts'
import { instantOf } from '../../../lib/times.ts'
import { useSearch } from '../../../router/react.tsx'
import { toast } from '../../../ui/toast.tsx'
import { useNavigate } from '../../navigation.ts'
import { takenAsides } from '../../waiting-asides.ts'
import { followReply, takeBack } from '../../waiting-replies.ts'
import type { Detail } from '../thread-types.ts'
import type { Choosing } from '../use-split.ts'

export type WaitingMessage = DataOf<'/api/admin/tickets/conversations/list'>['waiting'][number]
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
  const { forwarding, begin, beginAgain, stop } = useForwarding()
  useWaiting(ticket, data?.waiting, conversations)
  const waiting = useMemo(() => data?.waiting.filter(({ state }) => state === 'waiting') ?? [], [data])

  // What was taken back opens its pane, which takes it.
  const taken = useStore(takenAsides)
  useEffect(() => {
    if (taken?.number !== ticket.ticket_number) return
    if (taken.conversation_id !== null) show(taken.conversation_id)
    else if (taken.forwarding) beginAgain(taken.forwarding)
  }, [taken, ticket.ticket_number, show, beginAgain])
  return { conversations, waiting, open, show, forwarding, begin, stop }
}

const none: Conversation[] = []

/** What one has written to third parties is followed until it goes, also that of another tab; what was stopped comes back, and why is said. */
function useWaiting(
  { id: ticketId, ticket_number: number }: Detail['ticket'],
  waiting: WaitingMessage[] | undefined,
  conversations: readonly Conversation[]
): void {
  const me = useMe()
  const handled = useRef(new Set<number>())
  useEffect(() => {
    for (const message of waiting ?? []) {
      const { side_message_id: messageId, state, undo_until } = message
      const goesAt = instantOf(undo_until).getTime()
      const names = recipientOf(message, conversations)
      const reply = { messageId, ticketId, number, names, goesAt, account: `staff:${me.id}`, isAside: true as const }
      if (state === 'waiting') void followReply(reply)
      if (state !== 'stopped' || handled.current.has(messageId)) continue
      handled.current.add(messageId)
      void takeBack(reply).then(async isBack => {
        // Few see this.
        if (isBack) toast({ text: (await import('./refusal-text.ts')).stoppedText(message), tone: 'bad' })
      })
    }
  }, [waiting, conversations, ticketId, number, me.id])
}

/** The third party to whom a message goes that waits. */
export function recipientOf(
  { conversation_id, forwarding }: Pick<WaitingMessage, 'conversation_id' | 'forwarding'>,
  conversations: readonly Conversation[]
): string {
  const conversation = conversations.find(({ id }) => id === conversation_id)
  return conversation ? partnerOf(conversation) : (forwarding?.to[0]?.replace(/\s*<.*$/, '') ?? '')
}

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
  const beginAgain = useCallback(
    ({ message_ids, attachment_ids }: NonNullable<WaitingMessage['forwarding']>) =>
      setChosen({ messages: new Set(message_ids), files: new Set(attachment_ids) }),
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
  return { forwarding, begin, beginAgain, stop: useCallback(() => setChosen(undefined), []) }
}

/** The name of the third party: of the first whom staff have written to. */
export function partnerOf({ participants }: Pick<Conversation, 'participants'>): string {
  const [first] = participants
  return first?.name || first?.email || ''
}
