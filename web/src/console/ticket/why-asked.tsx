import { shownItems } from '../../../../src/tickets/forms/judge-form.ts'
import { type FieldValue, fieldValueText } from '../../app/custom-fields/custom-field.ts'
import { t } from '../../lib/strings.ts'
import { type AskedForm, judgedItems } from './asked-form.ts'
import styles from './custom-fields.module.css'
import type { Detail } from './thread-types.ts'

type Item = AskedForm['items'][number]

/** Why the fields of a ticket are asked: by which form, for which answer, and what needs them. */
export function WhyAsked({ detail: { ticket }, form }: { detail: Detail; form: AskedForm | null }) {
  const department = ticket.department.name
  if (!form) return <p className={styles.why}>{t('close-fields.noForm', { department })}</p>
  const { items, valueIn } = judgedItems(form, ticket.fields)
  const shown = shownItems(items, valueIn)
  const hidden = items.filter(item => !shown.includes(item))

  /** The answer that shows an item: "Product: Inverter". */
  function answerFor({ show_if }: Item): string | undefined {
    const control = form?.items.find(({ field }) => field.id === show_if?.field_id)?.field
    const value = control && valueIn(control.id)
    if (!control || value === undefined) return undefined
    return t('close-fields.answer', { field: control.label, value: fieldValueText(control, value as FieldValue) })
  }

  return (
    <div className={styles.why}>
      <p>{t('close-fields.askedBy', { name: form.name ?? '', department })}</p>
      <ul>
        {shown.map(item => (
          <li key={item.field_id}>
            <bdi>{item.field.label}</bdi>
            <small>
              {[answerFor(item), ...needsOf(item)].filter(Boolean).join(' · ') || t('close-fields.neverNeeded')}
            </small>
          </li>
        ))}
      </ul>
      {hidden.length > 0 && (
        <p>{t('close-fields.notAsked', { fields: hidden.map(({ field }) => field.label).join(', ') })}</p>
      )}
    </div>
  )
}

function needsOf({ required, required_to_close }: Item): (string | false)[] {
  return [required_to_close === 1 && t('close-fields.neededToClose'), required === 1 && t('close-fields.neededToOpen')]
}
