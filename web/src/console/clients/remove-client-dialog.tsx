import { useId, useState } from 'react'
import { queries } from '../../app/desk.ts'
import { failureText } from '../../app/failures.ts'
import { useDeskPages } from '../../app/list-pages.ts'
import { useDeskWrite } from '../../app/writes.ts'
import { nameOf } from '../../lib/person-name.ts'
import { t } from '../../lib/strings.ts'
import { Banner } from '../../ui/banner.tsx'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { TextField } from '../../ui/field.tsx'
import { toast } from '../../ui/toast.tsx'
import { useNavigate } from '../router/react.tsx'
import type { ClientDetail } from './client-page.tsx'
import styles from './clients.module.css'

type Mode = 'anonymize' | 'cascade'

/** Takes a person out of the desk, with what hangs on them or without. Both are for good. */
export function RemoveClientDialog({ client, onClose }: { client: ClientDetail; onClose: () => void }) {
  const name = nameOf(client)
  const group = useId()
  const navigate = useNavigate()
  const [mode, setMode] = useState<Mode>('anonymize')
  const [typed, setTyped] = useState('')
  const tickets = useDeskPages('/api/admin/tickets/list', { client_id: client.id, limit: 1 })
  const write = useDeskWrite('/api/admin/clients/delete', {
    onSuccess: () => {
      toast({ text: t(mode === 'cascade' ? 'clients.deletedToast' : 'clients.anonymisedToast', { name }) })
      void navigate({ to: '/clients' }).then(() => queries.invalidateQueries())
    }
  })
  return (
    <Dialog
      title={t('clients.deleteTitle', { name })}
      open
      size={620}
      onClose={onClose}
      guarded={typed !== ''}
      footer={
        <>
          <Button variant="quiet" onClick={onClose}>
            {t('clients.keep')}
          </Button>
          <Button
            variant="confirm"
            busy={write.isPending}
            busyLabel={t('clients.deleting')}
            disabled={typed.trim() !== client.email}
            onClick={() => write.mutate({ id: client.id, mode, confirm_email: typed.trim() })}
          >
            {t(mode === 'cascade' ? 'clients.deleteForGood' : 'clients.anonymise')}
          </Button>
        </>
      }
    >
      {write.error && <Banner tone="bad">{failureText(write.error)}</Banner>}
      <fieldset className={styles.modes}>
        <legend>{t('clients.deleteLede', { name, count: tickets.data?.pages[0]?.total ?? 0 })}</legend>
        {(['anonymize', 'cascade'] as const).map(value => (
          <label key={value} className={styles.mode}>
            <input type="radio" name={group} value={value} checked={mode === value} onChange={() => setMode(value)} />
            <span>
              <b>{t(value === 'cascade' ? 'clients.cascade' : 'clients.anonymise')}</b>
              <span className="muted">{t(value === 'cascade' ? 'clients.cascadeText' : 'clients.anonymiseText')}</span>
            </span>
          </label>
        ))}
      </fieldset>
      <TextField
        label={t('clients.typeEmail', { email: client.email })}
        value={typed}
        onChange={setTyped}
        autoComplete="off"
        spellCheck={false}
      />
    </Dialog>
  )
}
