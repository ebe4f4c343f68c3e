import { useApiQuery } from '../../../app/api-queries.ts'
import { t } from '../../../lib/strings.ts'
import { Button } from '../../../ui/button.tsx'
import type { MenuItem } from '../../../ui/menu.tsx'
import { type Column, Table } from '../../../ui/table.tsx'
import { Time } from '../../../ui/time.tsx'
import { toast } from '../../../ui/toast.tsx'
import { adminFailureText } from '../../admin-failure-text.ts'
import { Link, useNavigate } from '../../navigation.ts'
import { lastErrorText, sendingErrorText } from '../mailbox-status-text.ts'
import tables from '../tables.module.css'
import styles from './mailboxes.module.css'
import { type Mailbox, saveMailbox, signIn } from './mailboxes.ts'

/** The addresses that admins have connected: what each receives and sends, and what is to be done. */
export function AddressTable({ mailboxes }: { mailboxes: Mailbox[] }) {
  const navigate = useNavigate()
  const departments = useApiQuery('/api/departments', {}).data?.departments ?? []
  const departmentOf = (deptid: number) => departments.find(each => each.deptid === deptid)?.name ?? String(deptid)

  const open = (mailbox: Mailbox, search: object = {}) =>
    void navigate({ to: '/settings/email/$mailboxId', params: { mailboxId: String(mailbox.id) }, search })

  const turn = (mailbox: Mailbox, isActive: 0 | 1) =>
    void saveMailbox(mailbox.id, { is_active: isActive }).catch(error =>
      toast({ text: adminFailureText(error), tone: 'bad' })
    )

  const columns: Column<Mailbox>[] = [
    {
      key: 'address',
      label: t('mailboxes.address'),
      cell: ({ id, name, address }) => (
        <>
          <Link
            to="/settings/email/$mailboxId"
            params={{ mailboxId: String(id) }}
            className={`row-link ${tables.name}`}
          >
            {name}
          </Link>
          <span className={tables.below}>{address}</span>
        </>
      )
    },
    { key: 'department', label: t('mailboxes.department'), cell: ({ deptid }) => departmentOf(deptid) },
    { key: 'in', label: t('mailboxes.receivesFrom'), cell: mailbox => <Receives mailbox={mailbox} /> },
    { key: 'out', label: t('mailboxes.sendsThrough'), cell: mailbox => <Sends mailbox={mailbox} /> },
    {
      key: 'act',
      label: <span className="visually-hidden">{t('ui.actions')}</span>,
      cell: mailbox => {
        const { is_active, auth, is_signed_in, state, ending } = mailbox
        if (auth === 'oauth2' && (!is_signed_in || (is_active && state === 'failing')))
          return (
            <Button size="sm" onClick={() => void signIn(mailbox.id)}>
              {t('mailboxes.signInAgain')}
            </Button>
          )
        if (ending)
          return (
            <Button size="sm" onClick={() => void signIn(mailbox.id)}>
              {t('mailboxes.renew')}
            </Button>
          )
        return is_active ? null : (
          <Button size="sm" onClick={() => (mailbox.last_look_at ? turn(mailbox, 1) : open(mailbox, { test: 1 }))}>
            {t('mailboxes.goOn')}
          </Button>
        )
      }
    }
  ]

  const menu = (mailbox: Mailbox): MenuItem[] => [
    { label: t('mailboxes.runTest'), onSelect: () => open(mailbox, { test: 1 }) },
    ...(mailbox.is_active ? [{ label: t('mailboxes.pause'), onSelect: () => turn(mailbox, 0) }] : [])
  ]

  return (
    <Table
      label={t('mailboxes.addresses')}
      columns={columns}
      rows={mailboxes}
      rowKey={({ id }) => id}
      density="tall"
      isOff={({ is_active }) => !is_active}
      rowMenu={menu}
      rowMenuLabel={({ address }) => t('admin.actionsFor', { name: address })}
    />
  )
}

function Receives({ mailbox }: { mailbox: Mailbox }) {
  const { imap, is_active, failing_since, last_error, sending, ending, last_mail_at } = mailbox
  if (!imap) return <span className="t2">{t('mailboxes.onlySends')}</span>
  const fails = is_active === 1 && failing_since && last_error !== sending.last_error
  return (
    <>
      {imap.host}
      {!is_active ? (
        <span className={tables.below}>{t('mailboxes.paused')}</span>
      ) : fails ? (
        <span className={styles.bad}>
          {t('mailboxes.notConnectedSince')} <Time at={failing_since} style="inText" />. {lastErrorText(mailbox)}
        </span>
      ) : ending ? (
        <span className={styles.warn}>
          {t(ending.what === 'sign_in' ? 'mailboxes.ends.sign_in' : 'mailboxes.ends.client_secret', {
            day: new Date(ending.at).toLocaleDateString(document.documentElement.lang, { dateStyle: 'medium' })
          })}
        </span>
      ) : (
        <span className={tables.below}>
          {last_mail_at ? (
            <>
              {t('admin.mailboxes.lastMail')} <Time at={last_mail_at} style="inText" />
            </>
          ) : (
            t('admin.mailboxes.noMail')
          )}
        </span>
      )}
    </>
  )
}

function Sends({ mailbox }: { mailbox: Mailbox }) {
  const { smtp, sending } = mailbox
  if (!smtp) return <span className="t2">{t('mailboxes.operatorsServer')}</span>
  return (
    <>
      {smtp.host}
      {sending.failing_since ? (
        <span className={styles.bad}>
          {t('mailboxes.cannotSendSince')} <Time at={sending.failing_since} style="inText" />.{' '}
          {sendingErrorText(mailbox)}
        </span>
      ) : (
        sending.last_sent_at && (
          <span className={tables.below}>
            {t('mailboxes.lastSent')} <Time at={sending.last_sent_at} style="inText" />
          </span>
        )
      )}
    </>
  )
}
