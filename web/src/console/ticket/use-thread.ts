import { useCallback, useRef, useState } from 'react'
import { post } from '../../app/api-client.ts'
import { useApiQuery } from '../../app/api-queries.ts'
import type { Detail } from './thread-types.ts'
import type { TimelineData } from './timeline.ts'

/** The number of pages that are loaded at once. */
const pagesAtOnce = 5

interface Loaded {
  of: string
  messages: Map<number, Detail['messages'][number]>
  notes: Map<number, Detail['notes'][number]>
  events: Map<number, Detail['events'][number]>
  before: Pick<Detail, 'messages_before' | 'notes_before' | 'events_before'>
}

/** A ticket with its thread: the newest page, which is kept up to date, and the earlier pages that were loaded. */
export function useThread(number: string) {
  const query = useApiQuery('/api/admin/tickets/detail', { id: number })
  const loaded = useRef<Loaded>(undefined)
  const [isLoading, setLoading] = useState(false)
  const detail = query.data
  if (detail) loaded.current = withPage(loaded.current, detail)

  const loadEarlier = useCallback(async () => {
    const so = loaded.current
    if (!so) return
    setLoading(true)
    try {
      for (let page = 0; page < pagesAtOnce && hasEarlier(so.before); page++) {
        const { messages_before, notes_before, events_before } = so.before
        // If nothing earlier of a kind exists, an id of 1 returns none of it.
        const before = {
          messages_before: messages_before ?? 1,
          notes_before: notes_before ?? 1,
          events_before: events_before ?? 1
        }
        const data = await post('/api/admin/tickets/detail', { id: number, ...before })
        collect(so, data)
        so.before = data
      }
    } finally {
      setLoading(false)
    }
  }, [number])

  const thread: TimelineData | undefined = detail && loaded.current && threadOf(detail, loaded.current)
  return { query, detail, thread, loadEarlier, isLoadingEarlier: isLoading }
}

function hasEarlier({ messages_before, notes_before }: Loaded['before']): boolean {
  return messages_before !== null || notes_before !== null
}

function withPage(loaded: Loaded | undefined, detail: Detail): Loaded {
  // A merge or a split, or its undoing, changes the whole thread.
  const parts = [detail.ticket, ...detail.merged_sources].map(({ id }) => id)
  const split = detail.events.findLast(({ kind }) => kind === 'ticket.split' || kind === 'ticket.unsplit')
  const of = [...parts, split?.id].join(' ')
  const so = loaded?.of === of ? loaded : emptyFor(of, detail)
  collect(so, detail)
  return so
}

function emptyFor(of: string, { messages_before, notes_before, events_before }: Detail): Loaded {
  const before = { messages_before, notes_before, events_before }
  return { of, messages: new Map(), notes: new Map(), events: new Map(), before }
}

function collect(loaded: Loaded, { messages, notes, events }: Pick<Detail, 'messages' | 'notes' | 'events'>): void {
  for (const message of messages) loaded.messages.set(message.id, message)
  for (const note of notes) loaded.notes.set(note.id, note)
  for (const event of events) loaded.events.set(event.id, event)
}

function threadOf(detail: Detail, { messages, notes, events, before }: Loaded): TimelineData {
  return {
    messages: [...messages.values()],
    notes: [...notes.values()],
    events: [...events.values()],
    hasEarlier: hasEarlier(before),
    messageCount: detail.ticket.message_count
  }
}
