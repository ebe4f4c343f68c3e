import { Building } from 'lucide-react'
import { t } from '../../../lib/strings.ts'
import { listText } from '../../../lib/times.ts'
import { Part } from '../../../ui/part.tsx'
import { Picker } from '../../../ui/picker.tsx'
import type { ActionChoices } from '../actions/use-action-choices.ts'
import styles from './macros.module.css'

interface MacroPlacesProps {
  deptids: number[]
  choices: ActionChoices
  onChange(deptids: number[]): void
}

/** In the tickets of which departments a macro is offered. */
export function MacroPlaces({ deptids, choices: { departments = [] }, onChange }: MacroPlacesProps) {
  const names = departments.flatMap(({ id, label }) => (deptids.includes(id) ? [label] : []))
  return (
    <div className={styles.places}>
      <span>{t('macros.inDepartments')}</span>
      <Picker
        multiple
        label={t('macros.inDepartments')}
        items={departments}
        selected={deptids}
        onChange={chosen => onChange(chosen.toSorted((one, other) => one - other))}
        trigger={trigger => (
          <Part {...trigger} hasChevron icon={Building}>
            {names.length > 0 ? listText(names) : t('macros.allDepartments')}
          </Part>
        )}
      />
    </div>
  )
}
