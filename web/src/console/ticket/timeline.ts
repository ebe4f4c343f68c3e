import type { Message, Note, TicketEvent } from './thread-types.ts'

type Entry =
  | { type: 'message'; key: string; at: string; message: Message }
  | { type: 'note'; key: string; at: string; note: Note }
  | { type: 'event'; key: string; at: string; event: TicketEvent }

/** An entry of the thread. */
export type TimelineLine =
  | (Exclude<Entry, { type: 'event' }> & { isNew: boolean })
  | { type: 'events'; key: string; events: TicketEvent[] }
  /** Folded entries. `count` is the number of messages and notes; `isBeyond`: some of them are not loaded yet. */
  | { type: 'fold'; key: string; count: number; isBeyond: boolean }
  /** Separates the messages that others have written since this person began to write. */
  | { type: 'new'; key: string }

export interface TimelineData {
  messages: Message[]
  notes: Note[]
  events: TicketEvent[]
  /** Whether earlier messages or notes are not loaded yet. */
  hasEarlier: boolean
  /** The number of messages of the ticket and all tickets merged into it. */
  messageCount: number
}

export interface TimelineOptions {
  /** Shows all entries unfolded. */
  isUnfolded: boolean
  hasEvents: boolean
  /** The newest message that was seen before; later ones are not folded. */
  seenBefore: number | undefined
  /** The newest message when this person began to write. Their own messages never count as new. */
  begunAfter: number | undefined
  isOwn(message: Message): boolean
  /** Shows only the messages of this merged ticket. */
  onlyTicket: number | undefined
}

const openAtEnd = 5
const minFolded = 2

/** Messages, notes and events by time, the old ones folded: the first message, the last five and whatever is new stay open. */
export function timelineOf(thread: TimelineData, shown: TimelineOptions): TimelineLine[] {
  const entries = entriesOf(thread, shown)
  const isWritten = (entry: Entry) => entry.type !== 'event'
  const written = entries.filter(isWritten)
  const open = new Set<Entry>(written.slice(-openAtEnd))
  for (const entry of written) if (isUnseen(entry, shown.seenBefore)) open.add(entry)
  const first = thread.hasEarlier ? undefined : written.find(entry => entry.type === 'message')
  const folded = written.filter(entry => !open.has(entry) && entry !== first)
  const beyond = thread.hasEarlier ? Math.max(1, thread.messageCount - thread.messages.length) : 0
  const isFolding = !shown.isUnfolded && (folded.length >= minFolded || beyond > 0)
  if (!isFolding) return linesOf(entries, shown, beyond)

  const firstOpen = entries.findIndex(entry => open.has(entry))
  const head = first && !open.has(first) ? linesOf([first], shown, 0) : []
  const fold: TimelineLine = { type: 'fold', key: 'fold', count: folded.length + beyond, isBeyond: beyond > 0 }
  return [...head, fold, ...linesOf(entries.slice(firstOpen), shown, 0)]
}

function entriesOf({ messages, notes, events }: TimelineData, { hasEvents, onlyTicket }: TimelineOptions): Entry[] {
  const entries: Entry[] = [
    ...messages.map(message => ({
      type: 'message' as const,
      key: `message-${message.id}`,
      at: message.created_at,
      message
    })),
    ...notes.map(note => ({ type: 'note' as const, key: `note-${note.id}`, at: note.created_at, note }))
  ].filter(entry => onlyTicket === undefined || ticketOf(entry) === onlyTicket)
  // A split stays in the thread, in the place of its messages.
  const told = events.filter(event => (hasEvents ? isTold(event) : event.kind === 'ticket.split'))
  entries.push(
    ...told.map(event => ({ type: 'event' as const, key: `event-${event.id}`, at: event.created_at, event }))
  )
  // At the same time, a message comes before the event that it caused.
  return entries.sort((a, b) => a.at.localeCompare(b.at) || rank(a) - rank(b) || idOf(a) - idOf(b))
}

function ticketOf(entry: { type: 'message'; message: Message } | { type: 'note'; note: Note }): number {
  return entry.type === 'message' ? entry.message.ticket_id : entry.note.ticket_id
}

function rank({ type }: Entry): number {
  return type === 'event' ? 1 : 0
}

function idOf(entry: Entry): number {
  if (entry.type === 'message') return entry.message.id
  return entry.type === 'note' ? entry.note.id : entry.event.id
}

/** What the details show of due times is not told once more, only that one was moved or missed. */
const toldOfDueTimes = ['sla.due_changed', 'sla.breached', 'sla.breach_lifted', 'sla.withdrawn']

/** Leaves out events that a message or a note shows already. */
function isTold({ kind, before, after, actor_type }: TicketEvent): boolean {
  if (kind.startsWith('sla.')) return toldOfDueTimes.includes(kind)
  if (kind === 'ticket.created' || kind === 'ticket.noted' || kind === 'ticket.watched') return false
  if (kind === 'ticket.unwatched') return false
  if (kind !== 'ticket.replied') return true
  const usual = actor_type === 'client' ? 'Customer-Reply' : 'Answered'
  return after?.status !== before?.status && after?.status !== usual
}

function isUnseen(entry: Entry, seenBefore: number | undefined): boolean {
  return seenBefore !== undefined && entry.type === 'message' && entry.message.id > seenBefore
}

function linesOf(entries: Entry[], { begunAfter, isOwn }: TimelineOptions, beyond: number): TimelineLine[] {
  const lines: TimelineLine[] = beyond > 0 ? [{ type: 'fold', key: 'fold', count: beyond, isBeyond: true }] : []
  for (const entry of entries) {
    const last = lines.at(-1)
    if (entry.type === 'event') {
      if (last?.type === 'events') last.events.push(entry.event)
      else lines.push({ type: 'events', key: entry.key, events: [entry.event] })
      continue
    }
    const isNew =
      begunAfter !== undefined && entry.type === 'message' && entry.message.id > begunAfter && !isOwn(entry.message)
    if (isNew && !lines.some(({ type }) => type === 'new')) lines.push({ type: 'new', key: 'new' })
    lines.push({ ...entry, isNew })
  }
  return lines
}
