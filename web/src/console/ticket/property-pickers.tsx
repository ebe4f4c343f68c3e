import type { ReactElement } from 'react'
import { post } from '../../app/api-client.ts'
import { useApiQuery } from '../../app/api-queries.ts'
import { failureText } from '../../app/failures.ts'
import { can, useMe } from '../../app/me.ts'
import { reloadQueries } from '../../app/reload-queries.ts'
import { t } from '../../lib/strings.ts'
import { Avatar } from '../../ui/avatar.tsx'
import { Picker } from '../../ui/picker.tsx'
import type { TriggerProps } from '../../ui/popover.ts'
import { PriorityIcon, priorities, priorityLabel, StatusIcon, statuses, statusLabel } from '../../ui/status-icon.tsx'
import { toast } from '../../ui/toast.tsx'
import { awayText } from '../away.ts'
import type { Detail, StaffPerson } from './thread-types.ts'
import { type Colleague, useTicketColleagues } from './ticket-colleagues.ts'
import type { TicketChange } from './use-ticket-change.ts'

interface PickerProps {
  detail: Detail
  change(change: TicketChange): Promise<unknown>
  trigger(props: TriggerProps): ReactElement
}

export function StatusPicker({ detail, change, trigger }: PickerProps) {
  return (
    <Picker
      label={t('thread.setStatus')}
      shortcut="S"
      trigger={trigger}
      items={statuses.map(status => ({
        id: status,
        label: statusLabel(status),
        icon: <StatusIcon status={status} aria-hidden />
      }))}
      selected={detail.ticket.status}
      onChange={status => {
        if (status === detail.ticket.status) return
        const done = t('thread.statusSet', { status: statusLabel(status) })
        void change({ path: '/api/admin/tickets/status', body: { status }, looks: { status }, done })
      }}
    />
  )
}

export function PriorityPicker({ detail, change, trigger }: PickerProps) {
  return (
    <Picker
      label={t('thread.setPriority')}
      shortcut="P"
      trigger={trigger}
      items={priorities.toReversed().map(priority => ({
        id: priority,
        label: priorityLabel(priority),
        icon: <PriorityIcon priority={priority} aria-hidden />
      }))}
      selected={detail.ticket.priority}
      onChange={priority => {
        if (priority === detail.ticket.priority) return
        const done = t('thread.prioritySet', { priority: priorityLabel(priority) })
        void change({ path: '/api/admin/tickets/update', body: { priority }, looks: { priority }, done })
      }}
    />
  )
}

const nobody = 0

/** The possible assignees, oneself first, nobody last. Without the permission to edit, only oneself and nobody. */
export function AssigneePicker({ detail, change, trigger }: PickerProps) {
  const me = useMe()
  const colleagues = useTicketColleagues(detail)
  const others = can('tickets.edit_status') ? colleagues.filter(({ id }) => id !== me.id) : []
  const people: Colleague[] = [{ id: me.id, name: me.name }, ...others]
  const icon = (person: { id: number; name: string } | undefined) => (
    <Avatar person={person && { ...person, kind: 'staff' }} size={18} />
  )
  return (
    <Picker
      label={t('thread.assignTo')}
      shortcut="A"
      trigger={trigger}
      emptyText={t('thread.nobodyCalledThat')}
      items={[
        ...people.map(person => ({
          id: person.id,
          label: person.name,
          icon: icon(person),
          hint: person.id === me.id ? t('thread.me') : awayText(person.away_until)
        })),
        { id: nobody, label: t('thread.nobody'), icon: icon(undefined) }
      ]}
      selected={detail.ticket.assignee?.id ?? nobody}
      // Whoever opens it at a ticket of nobody most likely takes it.
      {...(detail.ticket.assignee === null && { startAt: me.id })}
      onChange={id => {
        if (id === (detail.ticket.assignee?.id ?? nobody)) return
        void change(assignmentTo(people.find(person => person.id === id)))
      }}
    />
  )
}

/** The change that assigns the ticket to somebody or nobody. */
export function assignmentTo(person: { id: number; name: string } | undefined): TicketChange {
  const [first_name = '', ...others] = person?.name.split(' ') ?? []
  const assignee: StaffPerson | null = person ? { id: person.id, first_name, last_name: others.join(' ') } : null
  return {
    path: '/api/admin/tickets/assign',
    body: { assigned_staff_id: person?.id ?? null },
    looks: { assignee },
    done: person ? t('thread.assignedTo', { name: person.name }) : t('thread.freed')
  }
}

export function DepartmentPicker({ detail, change, trigger }: PickerProps) {
  const departments = useApiQuery('/api/departments', {}, { staleTime: 300_000 })
  return (
    <Picker
      label={t('thread.moveTo')}
      shortcut="D"
      trigger={trigger}
      emptyText={t('thread.noDepartment')}
      items={departments.data?.departments.map(({ deptid, name }) => ({ id: deptid, label: name })) ?? []}
      selected={detail.ticket.department.deptid}
      onChange={deptid => {
        const to = departments.data?.departments.find(department => department.deptid === deptid)
        if (!to || deptid === detail.ticket.department.deptid) return
        const department = { id: to.id, deptid, name: to.name }
        const done = t('thread.movedTo', { department: to.name })
        void change({ path: '/api/admin/tickets/update', body: { department_id: deptid }, looks: { department }, done })
      }}
    />
  )
}

export function TagPicker({ detail, change, trigger }: PickerProps) {
  const known = useApiQuery('/api/admin/tags/list', { limit: 1000 }, { staleTime: 60_000 })
  const tags = known.data?.tags ?? []
  const choose = (chosen: readonly { id: number; name: string; color: string }[]) => {
    const looks = { tags: chosen.map(({ id, name, color }) => ({ id, name, color })) }
    const body = { tags: chosen.map(({ id }) => id) }
    void change({ path: '/api/admin/tickets/tags', body, looks, done: t('thread.tagsChanged') })
  }
  async function create(name: string) {
    try {
      const { tag } = await post('/api/admin/tags/create', { name })
      void reloadQueries('/api/admin/tags/list')
      choose([...detail.ticket.tags, tag])
    } catch (error) {
      toast({ text: failureText(error), tone: 'bad' })
    }
  }
  return (
    <Picker
      multiple
      label={t('thread.setTags')}
      shortcut="T"
      trigger={trigger}
      emptyText={t('thread.noSuchTag')}
      items={tags.map(({ id, name, color }) => ({ id, label: name, icon: <TagDot color={color} /> }))}
      selected={detail.ticket.tags.map(({ id }) => id)}
      onChange={ids => {
        const chosen = [...detail.ticket.tags, ...tags].filter(
          ({ id }, at, all) => ids.includes(id) && all.findIndex(tag => tag.id === id) === at
        )
        choose(chosen)
      }}
      create={{ label: name => t('thread.createTag', { name }), onCreate: name => void create(name) }}
    />
  )
}

function TagDot({ color }: { color: string }) {
  return (
    <svg className="glyph" width={14} height={14} viewBox="0 0 14 14" aria-hidden>
      <circle cx="7" cy="7" r="3.5" fill={color} />
    </svg>
  )
}
