import { Download, MailQuestionMark, Mails } from 'lucide-react'
import { post } from '../../app/api-client.ts'
import { useApiQuery, whileEdited } from '../../app/api-queries.ts'
import { useMe } from '../../app/me.ts'
import { MorePages } from '../../app/more-pages.tsx'
import { QueryState } from '../../app/query-state.tsx'
import { useApiPages } from '../../app/use-api-pages.ts'
import { useDebounced } from '../../app/use-debounced.ts'
import { ownAddress } from '../../lib/own-address.ts'
import { t } from '../../lib/strings.ts'
import { useParams, useSearch } from '../../router/react.tsx'
import { Button } from '../../ui/button.tsx'
import { Chip } from '../../ui/chip.tsx'
import { Page } from '../../ui/page.tsx'
import { useShortcut } from '../../ui/shortcuts.ts'
import { Skeleton } from '../../ui/skeleton.tsx'
import { StateMessage } from '../../ui/state-message.tsx'
import { toast } from '../../ui/toast.tsx'
import { mailLogFailureText } from '../mail-log/logged-mail.ts'
import { Link, useNavigate } from '../navigation.ts'
import { LogFilters } from './log-filters.tsx'
import { filterOf, type LogSearch } from './log-search.ts'
import { LogTable } from './log-table.tsx'
import styles from './mail-log-page.module.css'
import { MailTabs } from './mail-tabs.tsx'
import { useNewMails } from './use-new-mails.ts'

const pageSize = 50

/** Every e-mail in and out, with what became of it. The filter and the opened row are in the address. */
export function MailLogPage() {
  const { isAdmin } = useMe()
  const search = useSearch<LogSearch>()
  const { mailId } = useParams()
  const navigate = useNavigate()
  const opened = mailId === undefined ? undefined : Number(mailId)
  const words = useDebounced((search.q ?? '').trim(), 250)
  const filter = filterOf(search, words)
  // New rows come when they are asked for, not under the pointer.
  const mails = useApiPages('/api/admin/mail/log/list', { ...filter, limit: pageSize }, whileEdited)
  const counted = useApiQuery('/api/admin/mail/log/list', { ...filter, limit: 1, count: 1 }, { retry: false })
  const rows = mails.data?.pages.flatMap(({ mails }) => mails)
  const fresh = useNewMails(filter, rows?.[0]?.id, mails.dataUpdatedAt)
  const showNew = () => void Promise.all([mails.refetch(), counted.refetch()])

  function open(id: number | undefined) {
    const target =
      id === undefined
        ? ({ to: '/mail/log' } as const)
        : ({ to: '/mail/log/$mailId', params: { mailId: String(id) } } as const)
    void navigate({ ...target, search: true, replace: true })
  }
  useRowKeys(opened, () => open(undefined))
  const kept = mails.data?.pages[0]
  const isFiltered = Object.keys(search).length > 0

  return (
    <Page
      title={t('mail.title')}
      lede={t('mail.lede')}
      tabs={<MailTabs />}
      tabsLabel={t('console.mail')}
      width="full"
      actions={
        <Button icon={Download} onClick={() => void download(search)}>
          {t('mail.csv')}
        </Button>
      }
    >
      <LogFilters search={search} total={counted.data?.total}>
        {fresh > 0 && (
          <Chip isNew onClick={showNew}>
            {t('mail.new', { count: fresh })}
          </Chip>
        )}
      </LogFilters>
      <QueryState query={{ ...mails, data: rows }} skeleton={<Skeleton rows={8} />} failedTitle={t('mail.failedTitle')}>
        {rows =>
          rows.length === 0 && opened === undefined ? (
            isFiltered ? (
              <StateMessage
                icon={MailQuestionMark}
                title={t('mail.noMatch')}
                text={t('mail.noMatchText')}
                action={
                  <Link to="/mail/log" className="btn">
                    {t('mail.clear')}
                  </Link>
                }
              />
            ) : (
              <StateMessage
                icon={Mails}
                title={t('mail.empty')}
                text={t('mail.emptyText')}
                action={
                  isAdmin && (
                    <Link to="/settings/email" className="btn">
                      {t('mail.connect')}
                    </Link>
                  )
                }
              />
            )
          ) : (
            <>
              <LogTable rows={rows} opened={opened} onOpen={open} />
              {kept && (
                <p className={styles.kept}>{t('mail.kept', { rows: kept.rows_kept_days, raw: kept.raw_kept_days })}</p>
              )}
            </>
          )
        }
      </QueryState>
      <MorePages pages={mails} label={t('mail.more')} />
    </Page>
  )
}

/** J and K move between the rows, Esc closes the opened one. Enter and Space press the button of a row, which has the focus. */
function useRowKeys(opened: number | undefined, close: () => void): void {
  const group = 'list' as const
  const move = (by: 1 | -1) => {
    const rows = [...document.querySelectorAll<HTMLElement>('[data-mail]')]
    const at = rows.indexOf(document.activeElement as HTMLElement)
    rows[at < 0 ? 0 : Math.min(rows.length - 1, Math.max(0, at + by))]?.focus()
  }
  useShortcut('j', t('mail.next'), () => move(1), { group })
  useShortcut('k', t('mail.previous'), () => move(-1), { group })
  useShortcut(
    'Escape',
    t('mail.close'),
    () => {
      document.querySelector<HTMLElement>(`[data-mail="${opened}"]`)?.focus()
      close()
    },
    { group, when: opened !== undefined }
  )
}

/** A CSV file of what is filtered. */
async function download(search: LogSearch): Promise<void> {
  try {
    const { url } = await post('/api/admin/mail/log/export', filterOf(search, (search.q ?? '').trim()))
    location.assign(ownAddress(url))
  } catch (error) {
    toast({ text: mailLogFailureText(error), tone: 'bad' })
  }
}
