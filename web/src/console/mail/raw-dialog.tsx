import { Download } from 'lucide-react'
import { useApiQuery } from '../../app/api-queries.ts'
import { QueryState } from '../../app/query-state.tsx'
import { t } from '../../lib/strings.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import styles from './held-mail.module.css'

interface RawDialogProps {
  id: number
  onSave: () => void
  onClose: () => void
}

/** The beginning of the raw message, as text. */
export function RawDialog({ id, onSave, onClose }: RawDialogProps) {
  const found = useApiQuery('/api/admin/mail/log/detail', { id, raw: 1 }, { retry: false, gcTime: 0 })
  return (
    <Dialog
      title={t('mail.raw')}
      open
      onClose={onClose}
      size={860}
      footer={
        <Button icon={Download} onClick={onSave}>
          {t('mail.save')}
        </Button>
      }
    >
      <QueryState query={found} failedTitle={t('mail.oneFailedTitle')}>
        {({ mail: { raw, raw_is_whole } }) => (
          <>
            {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must do so by key as well. */}
            <pre className={styles.raw} tabIndex={0}>
              {raw ?? t('mail.notKept')}
            </pre>
            {raw !== null && raw_is_whole === 0 && <p className={styles.hint}>{t('mail.rawCut')}</p>}
          </>
        )}
      </QueryState>
    </Dialog>
  )
}
