import { type DataOf, DesklineError } from '@deskline/client'
import { useState } from 'react'
import { missingItems, shownItems } from '../../../../src/tickets/forms/judge-form.ts'
import { post } from '../../app/api-client.ts'
import { useApiQuery } from '../../app/api-queries.ts'
import type { FieldValue } from '../../app/custom-fields/custom-field.ts'
import { FieldInput } from '../../app/custom-fields/field-input.tsx'
import { failureText } from '../../app/failures.ts'
import { t } from '../../lib/strings.ts'
import { Banner } from '../../ui/banner.tsx'
import { Button } from '../../ui/button.tsx'
import styles from './close-fields.module.css'
import { StopPanel } from './stop-panel.tsx'
import type { Detail } from './thread-types.ts'
import { showTicket } from './ticket-cache.ts'

/** The most fields that the panel shows, unless more are needed. */
const mostShown = 6

interface CloseFieldsProps {
  detail: Detail
  /** Whether a reply waits to be sent, or the ticket alone is closed. */
  sends: boolean
  /** Called when the fields are saved, so that the ticket can be closed. */
  onClose(): void
  /** Called to do the same without closing. */
  onStay(): void
  onLeave(): void
}

/** Shown if a ticket was not closed because fields are missing: these, and the empty optional ones of the same form. */
export function CloseFields(props: CloseFieldsProps) {
  const { data } = useApiQuery('/api/ticket-forms', { deptid: props.detail.ticket.department.deptid })
  return data?.form ? <MissingFields {...props} form={data.form} /> : null
}

type Form = NonNullable<DataOf<'/api/ticket-forms'>['form']>

function MissingFields(props: CloseFieldsProps & { form: Form }) {
  const { detail, form, sends, onClose, onStay, onLeave } = props
  const { ticket } = detail
  const [typed, setTyped] = useState<Record<string, FieldValue | undefined>>({})
  const [errors, setErrors] = useState<Record<string, string>>({})
  const [failure, setFailure] = useState<string>()
  const [isBusy, setBusy] = useState(false)
  const items = form.items.map(item => ({ ...item, field_id: item.field.id }))
  const keys = new Map(items.map(({ field }) => [field.id, field.key]))
  const stored = (id: number) => ticket.fields[keys.get(id) ?? '']
  const valueIn = (id: number) => typed[keys.get(id) ?? ''] ?? stored(id)
  const isNeeded = ({ required_to_close }: (typeof items)[number]) => required_to_close === 1
  const isEmpty = ({ field_id }: (typeof items)[number]) => stored(field_id) === undefined
  const empty = shownItems(items, valueIn).filter(isEmpty)
  const needed = empty.filter(isNeeded)
  const optional = empty.filter(item => !isNeeded(item))
  const asked = [...needed, ...optional.slice(0, Math.max(0, mostShown - needed.length))]
  // What is filled in is needed no more, and the title stays.
  const [count] = useState(needed.length)
  const more = empty.length - asked.length

  async function goOn() {
    const missing = missingItems(items, valueIn, isNeeded)
    setErrors(Object.fromEntries(missing.map(({ field }) => [field.key, t('ui.fieldMissing')])))
    setFailure(undefined)
    if (missing.length > 0) return
    setBusy(true)
    try {
      const given = asked.flatMap(({ field: { key } }) => {
        const value = typed[key]
        return value === undefined ? [] : [[key, value] as const]
      })
      if (given.length > 0) {
        const fields = Object.fromEntries(given)
        const saved = await post('/api/admin/tickets/update', { id: ticket.id, fields })
        showTicket({ ...saved.ticket, fields: { ...ticket.fields, ...fields } })
      }
      onClose()
    } catch (error) {
      const named = error instanceof DesklineError ? error.errors.filter(name => name.startsWith('fields.')) : []
      setErrors(Object.fromEntries(named.map(name => [name.slice('fields.'.length), t('ui.fieldRefused')])))
      if (named.length === 0) setFailure(failureText(error))
    } finally {
      setBusy(false)
    }
  }

  return (
    <StopPanel
      title={t('close-fields.title', { count })}
      text={t(sends ? 'close-fields.replyKept' : 'close-fields.closedWith')}
      onLeave={onLeave}
      actions={
        <>
          <Button variant="primary" busy={isBusy} onClick={() => void goOn()}>
            {t(sends ? 'close-fields.sendAndClose' : 'close-fields.close')}
          </Button>
          <Button variant="quiet" onClick={onStay}>
            {t(sends ? 'close-fields.sendStayOpen' : 'close-fields.stayOpen')}
          </Button>
          <span className={styles.form}>{t('close-fields.form', { name: form.name ?? '' })}</span>
        </>
      }
    >
      <div className={styles.fields}>
        {asked.map(item => (
          <FieldInput
            key={item.field_id}
            field={item.field}
            optional={!isNeeded(item)}
            value={typed[item.field.key]}
            error={errors[item.field.key]}
            onChange={value => {
              setTyped({ ...typed, [item.field.key]: value })
              setErrors(({ [item.field.key]: _, ...others }) => others)
            }}
          />
        ))}
      </div>
      {more > 0 && <p className={styles.more}>{t('close-fields.more', { count: more })}</p>}
      {failure && <Banner tone="bad">{failure}</Banner>}
    </StopPanel>
  )
}
