import { useApiQuery } from '../../app/api-queries.ts'
import { useMe } from '../../app/me.ts'
import { nameOf } from '../../lib/person-name.ts'
import { t } from '../../lib/strings.ts'
import type { Option } from '../../ui/field.tsx'
import { awayText } from '../away.ts'

/** The possible assignees in this department: nobody, oneself, and colleagues if this person may assign to others. */
export function useAssignees(departmentId: number | undefined): Option[] {
  const me = useMe()
  const { data } = useApiQuery(
    '/api/admin/colleagues/list',
    { limit: 100, ...(departmentId && { department_id: departmentId }) },
    { enabled: me.can('tickets.edit_status') }
  )
  const others = (data?.colleagues ?? []).filter(({ id }) => id !== me.id)
  return [
    { value: '', label: t('clients.nobody') },
    { value: String(me.id), label: t('clients.me', { name: me.name }) },
    ...others.map(person => {
      const away = awayText(person.away_until)
      return { value: String(person.id), label: away ? `${nameOf(person)} (${away})` : nameOf(person) }
    })
  ]
}
