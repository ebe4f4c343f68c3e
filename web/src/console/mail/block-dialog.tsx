import { useState } from 'react'
import { post } from '../../app/api-client.ts'
import { useMe } from '../../app/me.ts'
import { t } from '../../lib/strings.ts'
import { Checkbox } from '../../ui/form-controls.tsx'
import { toast } from '../../ui/toast.tsx'
import { AsyncConfirmDialog } from '../async-confirm-dialog.tsx'
import { heldMailFailureText, reloadHeldMail } from '../mail-log/held-mail.ts'
import { unblock } from './held-mail-actions.ts'

/** Blocks an address, or for admins its whole domain, and optionally discards its held e-mails. */
export function BlockDialog({ email, onClose }: { email: string; onClose: () => void }) {
  const { isAdmin } = useMe()
  const [isDomain, setIsDomain] = useState(false)
  const [discards, setDiscards] = useState(true)
  const domain = email.slice(email.lastIndexOf('@'))
  const sender = isDomain ? domain : email

  async function block() {
    const data = await post('/api/admin/mail/blocked/add', { sender, discard_held: discards ? 1 : 0 })
    onClose()
    toast({ text: t('held.blocked', { sender, count: data.discarded }), undo: () => void unblock(data.sender.id) })
    await reloadHeldMail()
  }

  return (
    <AsyncConfirmDialog
      title={t('held.blockNamed', { sender })}
      text={t('held.blockMeans')}
      confirmLabel={t('held.block')}
      keepLabel={t('held.keep')}
      failureText={heldMailFailureText}
      onConfirm={block}
      onClose={onClose}
    >
      {isAdmin && <Checkbox label={t('held.blockDomain', { domain })} checked={isDomain} onChange={setIsDomain} />}
      <Checkbox label={t('held.discardTheirs')} checked={discards} onChange={setDiscards} />
    </AsyncConfirmDialog>
  )
}
