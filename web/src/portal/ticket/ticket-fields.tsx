import { Suspense, useState } from 'react'
import { type FieldValue, fieldValueText } from '../../app/custom-fields/custom-field.ts'
import { lazyPart } from '../../app/lazy-part.ts'
import { t } from '../../lib/strings.ts'
import type { Thread } from './thread.ts'
import styles from './ticket-fields.module.css'

const ChangeFields = lazyPart(async () => ({ default: (await import('./change-fields.tsx')).ChangeFields }))

/** What else is known of the ticket, in a quiet list under its subject; the customer changes what they may write. */
export function TicketFields({ ticket, onChanged }: { ticket: Thread['ticket']; onChanged(): void }) {
  const [isChanging, setChanging] = useState(false)
  const { field_definitions: fields = [], fields: values = {} } = ticket
  const known = fields.filter(({ key }) => values[key] !== undefined)
  const writable = fields.filter(({ client_access, is_archived }) => client_access === 'write' && !is_archived)
  if (known.length === 0 && writable.length === 0) return null
  return (
    <div className={styles.fields}>
      {known.length > 0 && (
        <dl>
          {known.map(field => (
            <div key={field.id}>
              <dt>
                <bdi>{field.label}</bdi>
              </dt>
              <dd>
                <bdi>{fieldValueText(field, values[field.key] as FieldValue)}</bdi>
              </dd>
            </div>
          ))}
        </dl>
      )}
      {writable.length > 0 && (
        <button type="button" className={`link ${styles.change}`} onClick={() => setChanging(true)}>
          {t(known.length > 0 ? 'portal-ticket.changeFields' : 'portal-ticket.addFields')}
        </button>
      )}
      <Suspense>
        {isChanging && (
          <ChangeFields
            id={ticket.id}
            department={ticket.department_name}
            fields={writable}
            values={values}
            onChanged={onChanged}
            onClose={() => setChanging(false)}
          />
        )}
      </Suspense>
    </div>
  )
}
