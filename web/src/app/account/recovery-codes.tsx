import { Copy, Download, Printer } from 'lucide-react'
import { useState } from 'react'
import { t } from '../../lib/strings.ts'
import { Button } from '../../ui/button.tsx'
import { Checkbox } from '../../ui/form-controls.tsx'
import { copyText } from '../copy-text.ts'
import styles from './account.module.css'

/** The codes, shown once. The next step needs a confirmation that they are kept. */
export function RecoveryCodes({ codes, onDone }: { codes: readonly string[]; onDone: () => void }) {
  const [areKept, setKept] = useState(false)
  const text = codes.join('\n')

  function download() {
    const link = document.createElement('a')
    link.href = URL.createObjectURL(new Blob([`${text}\n`], { type: 'text/plain' }))
    link.download = 'deskline-recovery-codes.txt'
    link.click()
    URL.revokeObjectURL(link.href)
  }

  return (
    <div className={styles.recovery}>
      <ul className={styles.codes} data-print="only" aria-label={t('account.recoveryCodes')}>
        {codes.map(code => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ul>
      <div className="row-x wrap">
        <Button icon={Download} onClick={download}>
          {t('account.download')}
        </Button>
        <Button icon={Copy} onClick={() => void copyText(text)}>
          {t('account.copy')}
        </Button>
        <Button icon={Printer} onClick={() => print()}>
          {t('account.print')}
        </Button>
      </div>
      <Checkbox label={t('account.haveKept')} checked={areKept} onChange={setKept} />
      <div>
        <Button
          variant="primary"
          disabled={!areKept}
          reason={areKept ? undefined : t('account.keepThemFirst')}
          onClick={onDone}
        >
          {t('account.done')}
        </Button>
      </div>
    </div>
  )
}
