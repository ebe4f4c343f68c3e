import { post } from '../../../app/api-client.ts'
import { useForm } from '../../../app/form.ts'
import { t } from '../../../lib/strings.ts'
import { Banner } from '../../../ui/banner.tsx'
import { Button } from '../../../ui/button.tsx'
import { adminFailureText } from '../../admin-failure-text.ts'
import { useNavigate } from '../../navigation.ts'
import { AdminPage } from '../admin-page.tsx'
import { ConnectionFields } from './connection-fields.tsx'
import { changesIn, emptyDraft, type MailboxDraft } from './mailbox-draft.ts'
import styles from './mailboxes.module.css'
import { refreshMailboxes, signIn } from './mailboxes.ts'

/** A new address: it is saved paused, tested on its own page, and fetched once it is connected there. */
export function ConnectPage() {
  const navigate = useNavigate()
  const form = useForm<MailboxDraft>(emptyDraft, {
    check: ({ deptid, address, imap_host, smtp_host }) => ({
      address: !address.trim() && t('ui.fieldMissing'),
      deptid: !deptid && t('ui.fieldMissing'),
      imap_host: !imap_host.trim() && !smtp_host.trim() && t('ui.fieldMissing')
    }),
    reasons: { mailbox_exists: { address: t('mailboxes.exists') } },
    failureText: adminFailureText
  })
  const isOAuth = form.values.auth === 'oauth2'

  async function save() {
    let id = 0
    const done = await form.submit(async values => {
      const { address = '', name = '', deptid = 0, ...rest } = changesIn(values)
      const body = { ...rest, address, name, deptid, is_active: 0 as const }
      id = (await post('/api/admin/mail/mailboxes/create', body)).mailbox.id
      await refreshMailboxes()
    })
    if (!done) return
    if (isOAuth) return await signIn(id)
    await navigate({ to: '/settings/email/$mailboxId', params: { mailboxId: String(id) }, search: { test: 1 } })
  }

  return (
    <AdminPage
      title={t('mailboxes.connectTitle')}
      lede={t('mailboxes.connectLede')}
      above={{ to: '/settings/email', label: t('admin.emailChannel') }}
      width="settings"
    >
      <form
        className={styles.cards}
        noValidate
        onSubmit={event => {
          event.preventDefault()
          void save()
        }}
      >
        <ConnectionFields form={form} isNew hasPassword={false} hasClientSecret={false} />
        {form.failure && <Banner tone="bad">{form.failure}</Banner>}
        <div className="row-x wrap">
          <Button variant="primary" type="submit" busy={form.isBusy}>
            {isOAuth ? t('mailboxes.saveAndSignIn') : t('mailboxes.saveAndTest')}
          </Button>
        </div>
      </form>
    </AdminPage>
  )
}
