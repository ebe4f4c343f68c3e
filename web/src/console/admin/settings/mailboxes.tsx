import type { DataOf } from '@deskline/client'
import { useState } from 'react'
import { post } from '../../../app/api-client.ts'
import { useApiQuery } from '../../../app/api-queries.ts'
import { QueryState } from '../../../app/query-state.tsx'
import { reloadQueries } from '../../../app/reload-queries.ts'
import { type Key, t } from '../../../lib/strings.ts'
import { Badge, type BadgeTone } from '../../../ui/badge.tsx'
import { Banner } from '../../../ui/banner.tsx'
import { Button } from '../../../ui/button.tsx'
import { Time } from '../../../ui/time.tsx'
import { adminFailureText } from '../../admin-failure-text.ts'
import { lastErrorText, type OperatorsMailbox as Mailbox, testResultText } from '../mailbox-status-text.ts'
import { SettingRow } from '../setting-row.tsx'
import styles from '../settings.module.css'

const path = '/api/admin/mail/mailboxes/list'
type Listed = DataOf<typeof path>
type Way = Listed['ways'][number]

/** How e-mails come in: each mailbox with its state and a test button, and the other ways that are configured. */
export function Mailboxes({ hasConnected }: { hasConnected: boolean }) {
  const listed = useApiQuery(path, {})
  return (
    <QueryState query={listed}>
      {({ mailboxes, ways }) => (
        <div className={styles.card}>
          {mailboxes
            .flatMap(each => (each.source === 'operator' ? each : []))
            .map(mailbox => (
              <MailboxRow key={mailbox.name} mailbox={mailbox} />
            ))}
          {mailboxes.length === 0 && !hasConnected && (
            <SettingRow title={t('admin.mailboxes.none')} hint={t('admin.mailboxes.noneHint')}>
              {null}
            </SettingRow>
          )}
          {ways
            .filter(({ via, is_open, last_mail_at }) => via !== 'imap' && (is_open === 1 || last_mail_at))
            .map(way => (
              <WayRow key={way.via} way={way} />
            ))}
        </div>
      )}
    </QueryState>
  )
}

const tones: Record<Mailbox['state'], BadgeTone> = {
  working: 'green',
  failing: 'red',
  starting: 'plain',
  unattended: 'amber'
}

function MailboxRow({ mailbox }: { mailbox: Mailbox }) {
  const { name, user, host, folder, state, last_mail_at, last_error, unread_mails } = mailbox
  const [isBusy, setBusy] = useState(false)
  const [tried, setTried] = useState<{ isUsable: boolean; words: string }>()

  async function test() {
    setBusy(true)
    setTried(undefined)
    try {
      const data = await post('/api/admin/mail/mailboxes/test', { name })
      setTried({ isUsable: data.is_usable === 1, words: testResultText(mailbox, data) })
      await reloadQueries(path)
    } catch (error) {
      setTried({ isUsable: false, words: adminFailureText(error) })
    } finally {
      setBusy(false)
    }
  }

  return (
    <>
      <SettingRow
        title={user}
        hint={
          <>
            {t('admin.mailboxes.where', { host, folder })}
            {' · '}
            {last_mail_at ? (
              <>
                {t('admin.mailboxes.lastMail')} <Time at={last_mail_at} style="inText" />
              </>
            ) : (
              t('admin.mailboxes.noMail')
            )}
            {unread_mails > 0 && ` · ${t('admin.mailboxes.unread', { count: unread_mails })}`}
          </>
        }
      >
        <Badge>{t('mailboxes.setByOperator')}</Badge>
        <Badge tone={tones[state]}>{t(`admin.mailboxes.${state}` satisfies Key)}</Badge>
        <Button size="sm" busy={isBusy} busyLabel={t('admin.mailboxes.testing')} onClick={() => void test()}>
          {t('admin.mailboxes.test')}
        </Button>
      </SettingRow>
      {state === 'failing' && last_error && !tried && (
        <div className={styles.padded}>
          <Banner tone="warn">{lastErrorText(mailbox)}</Banner>
        </div>
      )}
      {tried && (
        <div className={styles.padded}>
          <Banner tone={tried.isUsable ? 'good' : 'bad'}>{tried.words}</Banner>
        </div>
      )}
    </>
  )
}

function WayRow({ way: { via, last_mail_at, held_mails } }: { way: Way }) {
  return (
    <SettingRow
      title={t(`admin.mailboxes.${via}` satisfies Key)}
      hint={
        <>
          {last_mail_at ? (
            <>
              {t('admin.mailboxes.lastMail')} <Time at={last_mail_at} style="inText" />
            </>
          ) : (
            t('admin.mailboxes.noMail')
          )}
          {held_mails > 0 && ` · ${t('admin.mailboxes.held', { count: held_mails })}`}
        </>
      }
    >
      {null}
    </SettingRow>
  )
}
