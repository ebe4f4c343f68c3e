import { Copy } from 'lucide-react'
import { copyText } from '../../app/copy-text.ts'
import formDialog from '../../app/form-dialog.module.css'
import { t } from '../../lib/strings.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import forms from './forms.module.css'

interface SecretDialogProps {
  secret: string
  /** By default those of a webhook. */
  title?: string
  text?: string
  onClose: () => void
}

/** Shows a secret once. Only its button closes the dialog. */
export function SecretDialog({ secret, title, text, onClose }: SecretDialogProps) {
  return (
    <Dialog
      title={title ?? t('admin.secretTitle')}
      open
      onClose={onClose}
      insistent
      footer={
        <Button variant="primary" onClick={onClose}>
          {t('admin.secretKept')}
        </Button>
      }
    >
      <div className={formDialog.form}>
        <p>{text ?? t('admin.secretText')}</p>
        <div className={forms.secret}>
          <code>{secret}</code>
          <Button icon={Copy} onClick={() => void copyText(secret)}>
            {t('account.copy')}
          </Button>
        </div>
      </div>
    </Dialog>
  )
}
