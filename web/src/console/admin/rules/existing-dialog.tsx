import type { DataOf } from '@deskline/client'
import { t } from '../../../lib/strings.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import styles from './rules.module.css'
import type { Existing } from './switch-rule.ts'

export type Impact = DataOf<'/api/admin/rules/impact'>

const shown = 5

interface ExistingDialogProps {
  impact: Impact
  onChoose: (existing: Existing) => void
  onClose: () => void
}

/** Asks whether a timer that goes on also takes the tickets for which its time is over already. */
export function ExistingDialog({ impact, onChoose, onClose }: ExistingDialogProps) {
  const { already_due: count, sample } = impact
  return (
    <Dialog
      title={t('rules.fromWhen')}
      open
      onClose={onClose}
      footer={
        <>
          <Button variant="quiet" onClick={onClose}>
            {t('definition.keepEditing')}
          </Button>
          <Button onClick={() => onChoose({ include_existing: 1, expected_count: count })}>
            {t('rules.alsoExisting', { count })}
          </Button>
          <Button variant="primary" autoFocus onClick={() => onChoose({})}>
            {t('rules.fromNowOn')}
          </Button>
        </>
      }
    >
      <p>{t('rules.overAlready', { count })}</p>
      <ul className={styles.sample}>
        {sample.slice(0, shown).map(({ id, ticket_number, subject }) => (
          <li key={id}>
            {ticket_number} <bdi>{subject}</bdi>
          </li>
        ))}
      </ul>
    </Dialog>
  )
}
