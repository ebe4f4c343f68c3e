import { useApiQuery } from '../../app/api-queries.ts'
import { t } from '../../lib/strings.ts'
import type { ChosenMacro, MacroResult } from './chosen-macro.ts'
import type { Detail, StaffPerson, Ticket } from './thread-types.ts'
import { type Colleague, useTicketColleagues } from './ticket-colleagues.ts'

interface Named {
  people: readonly Colleague[]
  departments: readonly { id: number; deptid: number; name: string }[]
  tags: readonly Ticket['tags'][number][]
}

/** The ticket as its properties will be once the chosen macro is applied; as it is without one. */
export function useTicketAfter(detail: Detail, macro: ChosenMacro | undefined): Ticket {
  const does = (action: string) => macro?.results.some(result => result.action === action) ?? false
  const people = useTicketColleagues(detail)
  const departments = useApiQuery('/api/departments', {}, { staleTime: 300_000, enabled: does('move_to') })
  const tags = useApiQuery('/api/admin/tags/list', { limit: 1000 }, { staleTime: 60_000, enabled: does('add_tags') })
  if (!macro) return detail.ticket
  const named = { people, departments: departments.data?.departments ?? [], tags: tags.data?.tags ?? [] }
  return macro.results
    .filter(({ outcome }) => outcome === 'done')
    .reduce((ticket, result) => afterResult(ticket, result, named), detail.ticket)
}

function afterResult(ticket: Ticket, { action, from, to }: MacroResult, { people, departments, tags }: Named): Ticket {
  switch (action) {
    case 'set_status':
      return { ...ticket, status: to as Ticket['status'] }
    case 'set_priority':
      return { ...ticket, priority: to as Ticket['priority'] }
    case 'assign':
      return { ...ticket, assignee: to === null ? null : personOf(to as number, people) }
    case 'move_to':
      return {
        ...ticket,
        department: departments.find(({ deptid }) => deptid === to) ?? {
          id: 0,
          deptid: to as number,
          name: t('thread.anotherDepartment')
        }
      }
    case 'add_tags': {
      const added = namesWithout(to, [from, ticket.tags.map(({ name }) => name)])
      return {
        ...ticket,
        tags: [...ticket.tags, ...added.map(name => tags.find(tag => tag.name === name) ?? { id: 0, name, color: '' })]
      }
    }
    case 'remove_tags': {
      const removed = namesWithout(from, [to])
      return { ...ticket, tags: ticket.tags.filter(({ name }) => !removed.includes(name)) }
    }
    default:
      return ticket
  }
}

function personOf(id: number, people: readonly Colleague[]): StaffPerson {
  const name = people.find(person => person.id === id)?.name ?? t('thread.aColleague')
  const [first_name = '', ...others] = name.split(' ')
  return { id, first_name, last_name: others.join(' ') }
}

function namesWithout(names: unknown, others: unknown[]): string[] {
  return (names as string[]).filter(name => !(others as string[][]).some(list => list.includes(name)))
}
