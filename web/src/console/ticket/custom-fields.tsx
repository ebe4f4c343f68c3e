import { ChevronDown, Eye } from 'lucide-react'
import { type ReactNode, Suspense, useState } from 'react'
import { useApiQuery } from '../../app/api-queries.ts'
import { type FieldValue, fieldValueText } from '../../app/custom-fields/custom-field.ts'
import { t } from '../../lib/strings.ts'
import { neededToClose, useAskedForm } from './asked-form.ts'
import { FieldEditor } from './custom-field-editor.tsx'
import styles from './custom-fields.module.css'
import { WhyAsked } from './lazy-close-fields.ts'
import properties from './properties.module.css'
import { type PropertiesProps, useRights } from './properties.tsx'
import { type Field, fieldsPath, fieldsStaleTime } from './ticket-fields.ts'

/** If there are more fields, those without a value fold. */
const mostUnfolded = 8

/** The custom fields of a ticket in the order of the administration; nothing if there are none. */
export function CustomFields({
  detail,
  change,
  macro,
  className
}: PropertiesProps & { className: string | undefined }) {
  const known = useApiQuery(fieldsPath, undefined, { staleTime: fieldsStaleTime })
  const [areEmptyShown, setEmptyShown] = useState(false)
  const [isWhyOpen, setWhyOpen] = useState(false)
  const form = useAskedForm(detail, { enabled: known.data !== undefined && known.data.fields.length > 0 })
  const needed = form ? neededToClose(form, detail.ticket) : undefined
  const { mayEdit } = useRights(detail.ticket)
  const values = detail.ticket.fields as Readonly<Record<string, FieldValue>>
  const after = macro?.fields ?? {}
  /** As it will be once the chosen macro is applied. */
  const valueAfter = ({ key }: Field) => (Object.hasOwn(after, key) ? (after[key] ?? undefined) : values[key])
  const isEmpty = (field: Field) => valueAfter(field) === undefined && values[field.key] === undefined
  const fields = (known.data?.fields ?? []).filter(field => !field.is_archived || !isEmpty(field))
  if (fields.length === 0) return null

  const empty = fields.filter(field => isEmpty(field) && !needed?.has(field.id))
  const isFolded = fields.length > mostUnfolded && empty.length > 0 && !areEmptyShown
  const shown = isFolded ? fields.filter(field => !empty.includes(field)) : fields
  const set = (field: Field, value: FieldValue | null) => {
    const done =
      value === null
        ? t('thread.fieldCleared', { field: field.label })
        : t('thread.fieldSet', { field: field.label, value: fieldValueText(field, value) })
    void change({
      path: '/api/admin/tickets/update',
      body: { fields: { [field.key]: value } },
      looks: { fields: { [field.key]: value } },
      done
    })
  }
  return (
    <section className={className} aria-label={t('thread.fields')}>
      <h3>{t('thread.fields')}</h3>
      <dl className={`${properties.properties} ${styles.fields}`}>
        {shown.map(field => (
          <Row
            key={field.id}
            field={field}
            was={Object.hasOwn(after, field.key) ? wasText(field, values[field.key]) : undefined}
          >
            {mayEdit && !field.is_archived ? (
              <FieldEditor
                field={field}
                value={valueAfter(field)}
                isNeeded={needed?.has(field.id)}
                onSet={value => set(field, value)}
              />
            ) : (
              <Shown field={field} value={valueAfter(field)} />
            )}
          </Row>
        ))}
      </dl>
      {isFolded && (
        <button
          type="button"
          className={`link ${styles.fold}`}
          data-property="empty-field"
          onClick={() => setEmptyShown(true)}
        >
          {t('thread.emptyFields', { count: empty.length })} <ChevronDown size={12} aria-hidden />
        </button>
      )}
      {form !== undefined && (
        <button
          type="button"
          className={`link ${styles.fold}`}
          aria-expanded={isWhyOpen}
          onClick={() => setWhyOpen(is => !is)}
        >
          {t('thread.whyAsked')}
        </button>
      )}
      {form !== undefined && isWhyOpen && (
        <Suspense>
          <WhyAsked detail={detail} form={form} />
        </Suspense>
      )}
    </section>
  )
}

/** "was Bronze", of what the chosen macro is going to change. */
function wasText(field: Field, value: FieldValue | undefined): string {
  return t('thread.macroWas', { value: value === undefined ? t('thread.fieldNotSet') : fieldValueText(field, value) })
}

interface RowProps {
  field: Field
  was: string | undefined
  children: ReactNode
}

function Row({ field: { label, client_access }, was, children }: RowProps) {
  return (
    <div className={properties.property}>
      <dt>
        <bdi>{label}</bdi>{' '}
        {client_access !== 'none' && (
          <span className={styles.seen} title={t('thread.clientSeesField')}>
            <Eye size={12} aria-hidden />
            <span className="visually-hidden">{t('thread.clientSeesField')}</span>
          </span>
        )}
      </dt>
      <dd className={was === undefined ? undefined : styles.marked}>
        {children}
        {was !== undefined && <bdi className={properties.was}>{was}</bdi>}
      </dd>
    </div>
  )
}

/** A value that this person may not change. */
function Shown({ field, value }: { field: Field; value: FieldValue | undefined }) {
  return (
    <span className={properties.text}>
      {value === undefined ? (
        <span className={properties.none}>{t('thread.fieldNotSet')}</span>
      ) : (
        <bdi className={styles.value}>{fieldValueText(field, value)}</bdi>
      )}
      {field.is_archived === 1 && <span className={properties.none}>{t('thread.fieldArchived')}</span>}
    </span>
  )
}
