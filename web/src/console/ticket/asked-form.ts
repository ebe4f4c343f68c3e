import type { DataOf } from '@deskline/client'
import { missingItems } from '../../../../src/tickets/forms/judge-form.ts'
import { useApiQuery } from '../../app/api-queries.ts'
import type { Detail } from './thread-types.ts'
import { fieldsStaleTime } from './ticket-fields.ts'

export type AskedForm = NonNullable<DataOf<'/api/ticket-forms'>['form']>

/** The form of the ticket's department, else the default form; null if there is neither, undefined until it is known. */
export function useAskedForm({ ticket }: Detail, options: { enabled: boolean }): AskedForm | null | undefined {
  const { deptid } = ticket.department
  return useApiQuery('/api/ticket-forms', { deptid }, { staleTime: fieldsStaleTime, ...options }).data?.form
}

/** The items with their fields' ids, as they are judged, and the ticket's value of each. */
export function judgedItems({ items }: AskedForm, values: Readonly<Record<string, unknown>>) {
  const keys = new Map(items.map(({ field }) => [field.id, field.key]))
  return {
    items: items.map(item => ({ ...item, field_id: item.field.id })),
    valueIn: (id: number) => values[keys.get(id) ?? '']
  }
}

/** The fields that closing needs and that have no value. */
export function neededToClose(form: AskedForm, { fields, status }: Detail['ticket']): Set<number> {
  if (status === 'Closed') return new Set()
  const { items, valueIn } = judgedItems(form, fields)
  const missing = missingItems(items, valueIn, ({ required_to_close }) => required_to_close === 1)
  return new Set(missing.map(({ field_id }) => field_id))
}
