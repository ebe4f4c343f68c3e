import { useState } from 'react'
import { desk } from '../../app/desk.ts'
import { useMe } from '../../app/me.ts'
import { t } from '../../lib/strings.ts'
import { Checkbox } from '../../ui/choice.tsx'
import { toast } from '../../ui/toast.tsx'
import { Confirm } from '../admin/confirm.tsx'
import { unblock } from './decide.ts'
import { refreshHeld, wordsFor } from './held-mail.ts'

/** Blocks the address, or for admins its whole domain, and discards what is held of it if that is wanted. */
export function BlockDialog({ email, onClose }: { email: string; onClose: () => void }) {
  const { isAdmin } = useMe()
  const [isDomain, setIsDomain] = useState(false)
  const [discards, setDiscards] = useState(true)
  const domain = email.slice(email.lastIndexOf('@'))
  const sender = isDomain ? domain : email

  async function block() {
    const { data } = await desk.POST('/api/admin/mail/blocked/add', {
      body: { sender, discard_held: discards ? 1 : 0 }
    })
    onClose()
    toast({ text: t('held.blocked', { sender, count: data.discarded }), undo: () => void unblock(data.sender.id) })
    await refreshHeld()
  }

  return (
    <Confirm
      title={t('held.blockNamed', { sender })}
      text={t('held.blockMeans')}
      confirmLabel={t('held.block')}
      keepLabel={t('held.keep')}
      words={wordsFor}
      onConfirm={block}
      onClose={onClose}
    >
      {isAdmin && <Checkbox label={t('held.blockDomain', { domain })} checked={isDomain} onChange={setIsDomain} />}
      <Checkbox label={t('held.discardTheirs')} checked={discards} onChange={setDiscards} />
    </Confirm>
  )
}
