import type { DataOf } from '@deskline/client'
import { useApiQuery } from '../../../app/api-queries.ts'
import { useMe } from '../../../app/me.ts'
import { nameOf } from '../../../lib/person-name.ts'

interface Choice {
  id: number
  label: string
}

export type CustomField = DataOf<'/api/admin/fields/list'>['fields'][number]

/** What actions can name. A list is undefined until it is there; what is out of use is in none of them. */
export interface ActionChoices {
  /** By their deptid. */
  departments: Choice[] | undefined
  staff: Choice[] | undefined
  tags: string[] | undefined
  fields: CustomField[] | undefined
  calendars: Choice[] | undefined
  webhooks: Choice[] | undefined
}

/** What this person can choose: of colleagues only oneself without the permission to assign to others, and webhooks only as an admin. */
export function useActionChoices(): ActionChoices {
  const me = useMe()
  const departments = useApiQuery('/api/departments', {}).data?.departments
  const colleagues = useApiQuery(
    '/api/admin/colleagues/list',
    { limit: 1000 },
    { enabled: me.can('tickets.edit_status') }
  ).data?.colleagues
  const tags = useApiQuery('/api/admin/tags/list', { limit: 1000 }).data?.tags
  const fields = useApiQuery('/api/admin/fields/list', {}).data?.fields
  const calendars = useApiQuery('/api/admin/calendars/list', {}).data?.calendars
  const webhooks = useApiQuery('/api/admin/webhooks/list', {}, { enabled: me.isAdmin }).data?.webhooks
  return {
    departments: departments?.map(({ deptid, name }) => ({ id: deptid, label: name })),
    staff: me.can('tickets.edit_status')
      ? colleagues?.map(person => ({ id: person.id, label: nameOf(person) }))
      : [{ id: me.id, label: me.name }],
    tags: tags?.map(({ name }) => name),
    fields: fields?.filter(({ is_archived }) => !is_archived),
    calendars: calendars?.filter(({ is_archived }) => !is_archived).map(({ id, name }) => ({ id, label: name })),
    webhooks: me.isAdmin ? webhooks?.map(({ id, url }) => ({ id, label: url })) : []
  }
}
