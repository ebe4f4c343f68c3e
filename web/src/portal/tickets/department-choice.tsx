import type { DataOf } from '@deskline/client'
import { useId } from 'react'
import { t } from '../../lib/strings.ts'
import { FieldMessages, SelectField } from '../../ui/field.tsx'
import styles from './ticket-form.module.css'

type Department = DataOf<'/api/departments'>['departments'][number]

/** With more departments, a select field is shown instead of cards. */
const mostCards = 6

interface DepartmentChoiceProps {
  departments: Department[]
  /** The chosen `deptid`; 0 if none is chosen. */
  chosen: number
  error: string | undefined
  onChoose(deptid: number): void
}

/** Chooses the department: cards with descriptions if there are few departments. */
export function DepartmentChoice({ departments, chosen, error, onChoose }: DepartmentChoiceProps) {
  const id = useId()
  if (departments.length > mostCards) {
    return (
      <SelectField
        label={t('portal-ticket.about')}
        value={chosen ? String(chosen) : ''}
        error={error}
        options={[
          { value: '', label: '', disabled: true },
          ...departments.map(({ deptid, name }) => ({ value: String(deptid), label: name }))
        ]}
        onChange={value => onChoose(Number(value))}
      />
    )
  }
  return (
    <fieldset className={`field ${styles.departments}`} aria-describedby={error && `${id}-error`}>
      <legend className={styles.legend}>{t('portal-ticket.about')}</legend>
      <div className={styles.cards}>
        {departments.map(({ deptid, name, description }) => (
          <label key={deptid} className={styles.department}>
            <input
              type="radio"
              name={id}
              checked={deptid === chosen}
              aria-invalid={error ? true : undefined}
              aria-describedby={description ? `${id}-${deptid}` : undefined}
              onChange={() => onChoose(deptid)}
            />
            <span>
              <bdi className={styles.name}>{name}</bdi>
              {description && (
                <span className={styles.description} id={`${id}-${deptid}`}>
                  {description}
                </span>
              )}
            </span>
          </label>
        ))}
      </div>
      <FieldMessages id={id} error={error} />
    </fieldset>
  )
}
