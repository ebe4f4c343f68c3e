import { type BodyOf, DesklineError } from '@deskline/client'
import { useCallback, useState } from 'react'
import { post } from '../../app/api-client.ts'
import type { FieldValue } from '../../app/custom-fields/custom-field.ts'
import { failureText } from '../../app/failures.ts'
import { t } from '../../lib/strings.ts'
import { toast } from '../../ui/toast.tsx'
import { type Blockers, blockersIn } from './blocked-ticket.tsx'
import type { Detail, Ticket } from './thread-types.ts'
import { cachedDetail, reloadDetail, showTicket } from './ticket-cache.ts'

type ChangePath =
  | '/api/admin/tickets/status'
  | '/api/admin/tickets/assign'
  | '/api/admin/tickets/update'
  | '/api/admin/tickets/tags'

type Looks = Partial<Omit<Ticket, 'fields'>> & { fields?: Readonly<Record<string, FieldValue | null>> }

/** A change of one property of the ticket. */
export type TicketChange = {
  [Path in ChangePath]: { path: Path; body: Omit<BodyOf<Path>, 'id' | 'expected_version'> }
}[ChangePath] & {
  /** The ticket after the change. Of `fields` those that change; `null` clears one. */
  looks: Looks
  /** The text of the toast after the change. */
  done: string
}

/** Somebody else has just changed the same property. */
export interface Conflict {
  change: TicketChange
  event: Detail['events'][number] | undefined
}

/** The ticket was not closed, because fields are missing; `change` closes it once they are there. */
export interface Incomplete {
  change: TicketChange
}

/** The ticket was not closed, because another one blocks it; `change` closes it all the same. */
export interface Blocked {
  blockers: Blockers
  change: TicketChange
}

// The changes of one ticket are sent one after another, because each expects the version of the one before.
const running = new Map<string, Promise<unknown>>()

/** Resolves once all changes of this ticket are answered. */
export async function pendingChangesDone(number: string): Promise<void> {
  await running.get(number)
}

/** Changes properties of a ticket optimistically. The toast or Z undoes the change. */
export function useTicketChange(number: string) {
  const [conflict, setConflict] = useState<Conflict>()
  const [blocked, setBlocked] = useState<Blocked>()
  const [incomplete, setIncomplete] = useState<Incomplete>()

  const change = useCallback(
    (wanted: TicketChange) => {
      setConflict(undefined)
      setBlocked(undefined)
      setIncomplete(undefined)
      const before = running.get(number) ?? Promise.resolve()
      const work = before.then(() =>
        apply(number, wanted, { onConflict: setConflict, onBlocked: setBlocked, onIncomplete: setIncomplete })
      )
      running.set(number, work)
      return work
    },
    [number]
  )
  const keepOpen = useCallback(() => {
    setBlocked(undefined)
    setIncomplete(undefined)
  }, [])
  return { change, conflict, blocked, incomplete, keepOpen, dismiss: useCallback(() => setConflict(undefined), []) }
}

interface Refusals {
  onConflict(conflict: Conflict): void
  onBlocked(blocked: Blocked): void
  onIncomplete(incomplete: Incomplete): void
}

async function apply(
  number: string,
  wanted: TicketChange,
  { onConflict, onBlocked, onIncomplete }: Refusals
): Promise<void> {
  const former = cachedDetail(number)?.ticket
  if (!former) return
  showTicket({ ticket_number: number, ...after(former, wanted.looks) })
  try {
    await sendTwiceAtMost(number, former, wanted)
    toast({ text: wanted.done, undo: () => undoLastChange(number) })
  } catch (error) {
    showTicket({ ticket_number: number, ...after(former, only(former, wanted.looks)) })
    const now = await reloadDetail(number).catch(() => undefined)
    if (isConflict(error)) onConflict({ change: wanted, event: now?.events.at(-1) })
    else if (error instanceof DesklineError && error.reason === 'ticket_blocked' && isStatus(wanted)) {
      onBlocked({ blockers: blockersIn(error), change: { ...wanted, body: { ...wanted.body, force: 1 } } })
    } else if (error instanceof DesklineError && error.reason === 'fields_required') onIncomplete({ change: wanted })
    else toast({ text: failureText(error), tone: 'bad' })
  }
}

/** A parallel change of another property is no reason to refuse. */
async function sendTwiceAtMost(number: string, former: Ticket, wanted: TicketChange): Promise<void> {
  try {
    await send(wanted, former)
  } catch (error) {
    if (!isConflict(error)) throw error
    const now = (await reloadDetail(number))?.ticket
    if (!now || !isSame(only(former, wanted.looks), only(now, wanted.looks))) throw error
    showTicket({ ticket_number: number, ...after(now, wanted.looks) })
    await send(wanted, now)
  }
}

async function send({ path, body }: TicketChange, { id, version }: Ticket): Promise<void> {
  // The caller pairs the path with its body.
  const { ticket } = await post(path as '/api/admin/tickets/status', {
    ...(body as BodyOf<'/api/admin/tickets/status'>),
    id,
    expected_version: version
  })
  showTicket(ticket)
}

/** Undoes the last change of a ticket by this person. */
export async function undoLastChange(number: string): Promise<void> {
  const ticket = cachedDetail(number)?.ticket
  try {
    const data = await post('/api/admin/tickets/undo', { id: ticket?.id ?? number })
    showTicket(data.ticket)
    toast({ text: t('thread.undone') })
  } catch (error) {
    toast({ text: failureText(error), tone: 'bad' })
  }
}

type StatusChange = Extract<TicketChange, { path: '/api/admin/tickets/status' }>

function isStatus(change: TicketChange): change is StatusChange {
  return change.path === '/api/admin/tickets/status'
}

function isConflict(error: unknown): boolean {
  return error instanceof DesklineError && error.reason === 'version_conflict'
}

function after(ticket: Ticket, { fields, ...looks }: Looks): Partial<Ticket> {
  if (!fields) return looks
  const all = Object.entries({ ...ticket.fields, ...fields }).filter(([, value]) => value !== null)
  return { ...looks, fields: Object.fromEntries(all) as Ticket['fields'] }
}

/** What the ticket has where the other looks say something. */
function only(ticket: Ticket, { fields, ...looks }: Looks): Looks {
  const values = ticket.fields as Readonly<Record<string, FieldValue>>
  const own = Object.fromEntries(Object.keys(looks).map(name => [name, ticket[name as keyof Ticket]]))
  return fields ? { ...own, fields: pick(values, Object.keys(fields)) } : own
}

function pick(values: Readonly<Record<string, FieldValue>>, keys: readonly string[]) {
  return Object.fromEntries(keys.map(key => [key, values[key] ?? null]))
}

function isSame(some: object, others: object): boolean {
  return JSON.stringify(some) === JSON.stringify(others)
}
