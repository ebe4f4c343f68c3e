import type { DataOf } from '@deskline/client'
import { t } from '../../../lib/strings.ts'
import { choiceText, listText } from '../../../lib/times.ts'

export const formsPath = '/api/admin/ticket-forms/list'

export type TicketForm = DataOf<typeof formsPath>['forms'][number]
export type FormItem = TicketForm['items'][number]
export type Field = DataOf<'/api/admin/fields/list'>['fields'][number]

/** What an admin edits of a form. */
export interface FormDraft {
  name: string
  deptids: number[]
  items: FormItem[]
  isDefault: boolean
}

export function draftOf(form: TicketForm | undefined): FormDraft {
  return {
    name: form?.name ?? '',
    deptids: form?.deptids ?? [],
    items: form?.items ?? [],
    isDefault: form?.is_default === 1
  }
}

/** As the service takes it. */
export function fieldsOf({ name, deptids, items, isDefault }: FormDraft) {
  return { name: name.trim(), deptids, items, is_default: isDefault ? (1 as const) : (0 as const) }
}

/** Fields on which a condition can look: those of which the values are chosen. */
export function canDecide({ kind }: Field): boolean {
  return kind === 'select' || kind === 'multi_select' || kind === 'checkbox'
}

/** What can be chosen of a field, as a condition names it: options by their id, a checkbox by 1 and 0. */
export function choicesOf(field: Field): { id: number; label: string }[] {
  if (field.kind !== 'checkbox') return field.options.map(({ id, label }) => ({ id, label }))
  return [
    { id: 1, label: t('ui.yes') },
    { id: 0, label: t('ui.no') }
  ]
}

/** "Inverter or Storage" */
export function wantedText(field: Field, wanted: readonly number[]): string {
  return choiceText(choicesOf(field).flatMap(({ id, label }) => (wanted.includes(id) ? [label] : [])))
}

/** The first item that would stand above the field on which it depends, and that field. */
export function misplaced(items: readonly FormItem[]): FormItem | undefined {
  return items.find(
    ({ show_if }, at) => show_if && !items.slice(0, at).some(({ field_id }) => field_id === show_if.field_id)
  )
}

/** Whether something is left to choose. */
export function isUnfinished({ show_if }: FormItem): boolean {
  return show_if !== null && show_if.in.length === 0
}

/** What has changed, each in a few words. */
export function changesOf(saved: FormDraft, draft: FormDraft, labelOf: (fieldId: number) => string): string[] {
  const before = new Map(saved.items.map(item => [item.field_id, item]))
  const after = new Set(draft.items.map(({ field_id }) => field_id))
  const kept = (items: readonly FormItem[], others: (id: number) => boolean) =>
    items.map(({ field_id }) => field_id).filter(others)
  const isMoved = kept(draft.items, id => before.has(id)).join() !== kept(saved.items, id => after.has(id)).join()
  return [
    ...(saved.name === draft.name ? [] : [t('ticket-forms.changed.name', { name: draft.name })]),
    ...(saved.deptids.toSorted().join() === draft.deptids.toSorted().join()
      ? []
      : [t('ticket-forms.changed.departments')]),
    ...(saved.isDefault === draft.isDefault ? [] : [t('ticket-forms.changed.default')]),
    ...draft.items.flatMap(item => {
      const name = labelOf(item.field_id)
      const former = before.get(item.field_id)
      if (!former) return [t('ticket-forms.changed.added', { name })]
      return JSON.stringify(former) === JSON.stringify(item) ? [] : [t('ticket-forms.changed.item', { name })]
    }),
    ...saved.items
      .filter(({ field_id }) => !after.has(field_id))
      .map(({ field_id }) => t('ticket-forms.changed.removed', { name: labelOf(field_id) })),
    ...(isMoved ? [t('ticket-forms.changed.order')] : [])
  ]
}

/** "Billing and Technical Support" */
export function departmentsText(names: string[]): string {
  return names.length > 0 ? listText(names) : t('ticket-forms.noDepartment')
}
