import { type BodyOf, DesklineError } from '@deskline/client'
import { useCallback, useState } from 'react'
import { post } from '../../app/api-client.ts'
import { failureText } from '../../app/failures.ts'
import { t } from '../../lib/strings.ts'
import { toast } from '../../ui/toast.tsx'
import type { Detail, Ticket } from './thread-types.ts'
import { cachedDetail, reloadDetail, showTicket } from './ticket-cache.ts'

type ChangePath =
  | '/api/admin/tickets/status'
  | '/api/admin/tickets/assign'
  | '/api/admin/tickets/update'
  | '/api/admin/tickets/tags'

/** A change of one property of the ticket. */
export type TicketChange = {
  [Path in ChangePath]: { path: Path; body: Omit<BodyOf<Path>, 'id' | 'expected_version'> }
}[ChangePath] & {
  /** How the ticket looks then. */
  looks: Partial<Ticket>
  /** What the toast says when it is done. */
  done: string
}

/** Somebody else changed the same property a moment before. */
export interface Conflict {
  change: TicketChange
  event: Detail['events'][number] | undefined
}

// The changes of one ticket go one after another: each expects the version that the one before has made.
const running = new Map<string, Promise<unknown>>()

/** Once what one has changed of this ticket is answered. */
export async function pendingChangesDone(number: string): Promise<void> {
  await running.get(number)
}

/** Changes properties of a ticket at once, in the hope that the service agrees. Undone by the toast, or by Z. */
export function useTicketChange(number: string) {
  const [conflict, setConflict] = useState<Conflict>()

  const change = useCallback(
    (wanted: TicketChange) => {
      setConflict(undefined)
      const before = running.get(number) ?? Promise.resolve()
      const work = before.then(() => apply(number, wanted, setConflict))
      running.set(number, work)
      return work
    },
    [number]
  )
  return { change, conflict, dismiss: useCallback(() => setConflict(undefined), []) }
}

async function apply(number: string, wanted: TicketChange, onConflict: (conflict: Conflict) => void): Promise<void> {
  const former = cachedDetail(number)?.ticket
  if (!former) return
  showTicket({ ticket_number: number, ...wanted.looks })
  try {
    await sendTwiceAtMost(number, former, wanted)
    toast({ text: wanted.done, undo: () => undoLast(number) })
  } catch (error) {
    showTicket({ ticket_number: number, ...only(former, wanted.looks) })
    const now = await reloadDetail(number).catch(() => undefined)
    if (isConflict(error)) onConflict({ change: wanted, event: now?.events.at(-1) })
    else toast({ text: failureText(error), tone: 'bad' })
  }
}

/** What somebody else changed meanwhile and that has nothing to do with it is no reason to refuse. */
async function sendTwiceAtMost(number: string, former: Ticket, wanted: TicketChange): Promise<void> {
  try {
    await send(wanted, former)
  } catch (error) {
    if (!isConflict(error)) throw error
    const now = (await reloadDetail(number))?.ticket
    if (!now || !isSame(only(former, wanted.looks), only(now, wanted.looks))) throw error
    showTicket({ ticket_number: number, ...wanted.looks })
    await send(wanted, now)
  }
}

async function send({ path, body }: TicketChange, { id, version }: Ticket): Promise<void> {
  // The pairs of path and body are bound together where the change is made.
  const { ticket } = await post(path as '/api/admin/tickets/status', {
    ...(body as BodyOf<'/api/admin/tickets/status'>),
    id,
    expected_version: version
  })
  showTicket(ticket)
}

async function undoLast(number: string): Promise<void> {
  const ticket = cachedDetail(number)?.ticket
  try {
    const data = await post('/api/admin/tickets/undo', { id: ticket?.id ?? number })
    showTicket(data.ticket)
    toast({ text: t('thread.undone') })
  } catch (error) {
    toast({ text: failureText(error), tone: 'bad' })
  }
}

function isConflict(error: unknown): boolean {
  return error instanceof DesklineError && error.reason === 'version_conflict'
}

function only(ticket: Ticket, looks: Partial<Ticket>): Partial<Ticket> {
  return Object.fromEntries(Object.keys(looks).map(name => [name, ticket[name as keyof Ticket]]))
}

function isSame(some: object, others: object): boolean {
  return JSON.stringify(some) === JSON.stringify(others)
}
