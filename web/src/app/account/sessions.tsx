import { Laptop, Smartphone } from 'lucide-react'
import { useState } from 'react'
import { t } from '../../lib/strings.ts'
import { announce } from '../../ui/announce.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { ConfirmDialog } from '../../ui/dialog.tsx'
import { Checkbox } from '../../ui/form-controls.tsx'
import { Time } from '../../ui/time.tsx'
import { toast } from '../../ui/toast.tsx'
import { post } from '../api-client.ts'
import { useApiQuery } from '../api-queries.ts'
import { failureText } from '../failures.ts'
import { QueryState } from '../query-state.tsx'
import { reloadQueries } from '../reload-queries.ts'
import styles from './account.module.css'
import { deviceOf } from './device.ts'

/** The sessions of the signed-in person, and buttons to end them. */
export function Sessions() {
  const sessions = useApiQuery('/api/account/sessions', {})
  const passkeys = useApiQuery('/api/account/passkeys/list', {})
  const [ending, setEnding] = useState<number | 'others'>()
  const [isAsking, setAsking] = useState(false)
  const hasPasskeys = (passkeys.data?.passkeys.length ?? 0) > 0

  async function end(which: { id: number } | { others: 1; passkeys?: 1 }) {
    setEnding('id' in which ? which.id : 'others')
    try {
      const { sessions_ended } = await post('/api/account/sessions/revoke', which)
      announce(t('account.sessionsEnded', { count: sessions_ended }))
      setAsking(false)
      await reloadQueries('/api/account/sessions', '/api/account/passkeys/list')
    } catch (error) {
      toast({ text: failureText(error), tone: 'bad' })
    } finally {
      setEnding(undefined)
    }
  }

  return (
    <QueryState query={sessions}>
      {({ sessions }) => (
        <>
          <ul className={styles.sessions}>
            {sessions.map(({ id, user_agent, network, last_used_at, signed_in_by, current }) => {
              const { name, isPhone } = deviceOf(user_agent)
              const Device = isPhone ? Smartphone : Laptop
              return (
                <li key={id}>
                  <Device size={16} aria-hidden />
                  <div className={styles.sessionText}>
                    <p>
                      {name} {current === 1 && <Badge tone="green">{t('account.thisDevice')}</Badge>}
                    </p>
                    <p className={styles.hint}>
                      {network ?? t('account.unknownAddress')} · <Time at={last_used_at} style="relative" /> ·{' '}
                      {t(`account.signedIn.${signed_in_by}`)}
                    </p>
                  </div>
                  {current === 0 && (
                    <Button
                      variant="quiet"
                      busy={ending === id}
                      aria-label={t('account.endThat', { name })}
                      onClick={() => end({ id })}
                    >
                      {t('account.end')}
                    </Button>
                  )}
                </li>
              )
            })}
          </ul>
          {sessions.some(({ current }) => current === 0) && (
            <Button
              variant="danger"
              busy={ending === 'others'}
              onClick={() => (hasPasskeys ? setAsking(true) : void end({ others: 1 }))}
            >
              {t('account.endOthers')}
            </Button>
          )}
          {isAsking && (
            <EndOthersDialog
              isBusy={ending === 'others'}
              onEnd={withPasskeys => void end({ others: 1, ...(withPasskeys && { passkeys: 1 }) })}
              onClose={() => setAsking(false)}
            />
          )}
        </>
      )}
    </QueryState>
  )
}

interface EndOthersDialogProps {
  isBusy: boolean
  onEnd: (withPasskeys: boolean) => void
  onClose: () => void
}

/** Ending all others offers to remove the passkeys, by which a stranger could come back. */
function EndOthersDialog({ isBusy, onEnd, onClose }: EndOthersDialogProps) {
  const [withPasskeys, setWithPasskeys] = useState(false)
  return (
    <ConfirmDialog
      title={t('account.endOthersTitle')}
      text={t('account.endOthersText')}
      confirmLabel={t('account.endOthers')}
      keepLabel={t('account.notNow')}
      busy={isBusy}
      onConfirm={() => onEnd(withPasskeys)}
      onClose={onClose}
    >
      <Checkbox label={t('account.passkeys.endToo')} checked={withPasskeys} onChange={setWithPasskeys} />
    </ConfirmDialog>
  )
}
