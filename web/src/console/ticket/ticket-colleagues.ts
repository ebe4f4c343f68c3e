import { useMemo } from 'react'
import { useApiQuery } from '../../app/api-queries.ts'
import { can, useMe } from '../../app/me.ts'
import { nameOf } from '../../lib/person-name.ts'
import { ownerName } from '../actor-text.ts'
import type { Detail } from './thread-types.ts'

export interface Colleague {
  id: number
  name: string
  away_until?: string | null
}

/**
 * The colleagues that can be chosen: with the permission to assign, all possible assignees of this ticket; else oneself and the staff who appear
 * in the ticket.
 */
export function useTicketColleagues(detail: Detail | undefined): Colleague[] {
  const me = useMe()
  const mayAsk = can('tickets.edit_status')
  const department_id = detail?.ticket.department.deptid
  const asked = useApiQuery(
    '/api/admin/colleagues/list',
    { department_id, limit: 1000 },
    { enabled: mayAsk && department_id !== undefined, staleTime: 300_000 }
  )
  return useMemo(() => {
    const known = new Map<number, string>([[me.id, me.name]])
    for (const [id, name] of detail ? staffIn(detail) : []) known.set(id, name)
    const named = asked.data?.colleagues.map(person => ({
      id: person.id,
      name: nameOf(person),
      away_until: person.away_until
    }))
    return named ?? [...known].map(([id, name]) => ({ id, name }))
  }, [asked.data, detail, me])
}

/** The staff who appear in a ticket, by their ids. */
export function staffIn({ ticket, watchers, notes, events }: Detail): Map<number, string> {
  const people = new Map<number, string>()
  for (const event of events) {
    if (event.actor_type === 'staff' && event.actor_id !== null) people.set(event.actor_id, ownerName(event))
  }
  for (const { author } of notes) if (author.id !== null) people.set(author.id, nameOf(author))
  for (const person of [...watchers, ...(ticket.assignee ? [ticket.assignee] : [])]) {
    people.set(person.id, nameOf(person))
  }
  return people
}

/** The staff id of each message's author, from its event: the message itself has only a name. */
export function messageAuthors({ events }: Pick<Detail, 'events'>): Map<number, number> {
  const authors = new Map<number, number>()
  for (const { after, actor_id } of events) {
    const message = (after as { message_id?: number } | null)?.message_id
    if (message !== undefined && actor_id !== null) authors.set(message, actor_id)
  }
  return authors
}
