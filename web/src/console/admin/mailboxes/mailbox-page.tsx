import { useState } from 'react'
import { post } from '../../../app/api-client.ts'
import { useApiQuery, whileEdited } from '../../../app/api-queries.ts'
import { useForm } from '../../../app/form.ts'
import { QueryState } from '../../../app/query-state.tsx'
import { type Key, t } from '../../../lib/strings.ts'
import { useParams, useSearch } from '../../../router/react.tsx'
import { announce } from '../../../ui/announce.ts'
import { Banner } from '../../../ui/banner.tsx'
import { Button } from '../../../ui/button.tsx'
import { SelectField } from '../../../ui/field.tsx'
import { RowMenu } from '../../../ui/table.tsx'
import { adminFailureText } from '../../admin-failure-text.ts'
import { AsyncConfirmDialog } from '../../async-confirm-dialog.tsx'
import { Link, useNavigate } from '../../navigation.ts'
import { AdminPage } from '../admin-page.tsx'
import { lastErrorText } from '../mailbox-status-text.ts'
import { ConnectionFields } from './connection-fields.tsx'
import { FirstAnswer, isNewMailbox } from './first-answer.tsx'
import { IdentityForm } from './identity-form.tsx'
import { changesIn, draftOf } from './mailbox-draft.ts'
import { MailboxTest } from './mailbox-test.tsx'
import styles from './mailboxes.module.css'
import { type Mailbox, type MailboxChanges, refreshMailboxes, saveMailbox, signIn } from './mailboxes.ts'

/** One address: its connection with the test beside it, and below its name and texts. */
export function MailboxPage() {
  const { mailboxId } = useParams<{ mailboxId: string }>()
  const query = useApiQuery('/api/admin/mail/mailboxes/detail', { id: Number(mailboxId) }, whileEdited)
  const mailbox = query.data?.mailbox
  return (
    <AdminPage
      title={mailbox?.address ?? t('mailboxes.address')}
      above={{ to: '/settings/email', label: t('admin.emailChannel') }}
      actions={mailbox && <Actions mailbox={mailbox} successors={query.data?.successors ?? []} />}
    >
      <QueryState query={query}>{({ mailbox }) => <Connection key={mailbox.id} mailbox={mailbox} />}</QueryState>
    </AdminPage>
  )
}

function Actions({ mailbox, successors }: { mailbox: Mailbox; successors: string[] }) {
  const navigate = useNavigate()
  const [isDeleting, setDeleting] = useState(false)
  const [chosen, setChosen] = useState<string>()
  const answersFrom = chosen ?? successors[0]
  const { id, address, is_active, version } = mailbox

  async function remove() {
    await post('/api/admin/mail/mailboxes/delete', {
      id,
      expected_version: version,
      ...(answersFrom && { answers_from: answersFrom })
    })
    announce(t('mailboxes.deleted'))
    await navigate({ to: '/settings/email' })
    void refreshMailboxes()
  }

  return (
    <>
      <Link to="/mail/log" search={{ address }} className="btn">
        {t('mailboxes.itsMail')}
      </Link>
      <RowMenu
        label={t('admin.actionsFor', { name: address })}
        items={[
          ...(is_active
            ? [{ label: t('mailboxes.pause'), onSelect: () => void saveMailbox(id, { is_active: 0 }) }]
            : []),
          { label: t('admin.deleteMore'), danger: true, onSelect: () => setDeleting(true) }
        ]}
      />
      {isDeleting && (
        <AsyncConfirmDialog
          title={t('mailboxes.deleteTitle', { address })}
          text={t(answersFrom ? 'mailboxes.deleteText' : 'mailboxes.deleteLastText')}
          typed={address}
          confirmLabel={t('mailboxes.deleteConfirm')}
          keepLabel={t('mailboxes.keep')}
          onConfirm={remove}
          onClose={() => setDeleting(false)}
        >
          {answersFrom && (
            <SelectField
              label={t('mailboxes.answersThen')}
              value={answersFrom}
              options={successors.map(value => ({ value, label: value }))}
              onChange={setChosen}
            />
          )}
        </AsyncConfirmDialog>
      )}
    </>
  )
}

const outcomes = ['signed_in', 'denied', 'expired', 'failed', 'no_refresh_token'] as const

function Connection({ mailbox }: { mailbox: Mailbox }) {
  const search = useSearch<{ test?: number; sign_in?: string }>()
  const outcome = outcomes.find(each => each === search.sign_in)
  const [result, setResult] = useState<{ isUsable: boolean; receivesOnly: boolean }>()
  const form = useForm(draftOf(mailbox), {
    reasons: { mailbox_exists: { address: t('mailboxes.exists') } },
    failureText: adminFailureText
  })
  const { id, version, is_active, auth, is_signed_in, state, failing_since, ending } = mailbox
  const isOAuth = form.values.auth === 'oauth2'

  async function save(more: MailboxChanges = {}): Promise<boolean> {
    const done = await form.submit(async values => {
      await saveMailbox(id, { ...changesIn(values), ...more, expected_version: version })
    })
    if (!done) return false
    form.markSaved()
    announce(t('admin.saved'))
    return true
  }

  return (
    <div className={styles.cards}>
      {outcome && (
        <Banner tone={outcome === 'signed_in' ? 'good' : 'bad'}>
          {t(`mailboxes.outcome.${outcome}` satisfies Key)}
        </Banner>
      )}
      {is_active === 1 && state === 'failing' && (
        <Banner
          tone="bad"
          action={auth === 'oauth2' ? { label: t('mailboxes.signInAgain'), onClick: () => void signIn(id) } : undefined}
        >
          {failing_since ? t('mailboxes.notSince') : t('mailboxes.not')} {lastErrorText(mailbox)}
        </Banner>
      )}
      {ending && (
        <Banner tone="warn" action={{ label: t('mailboxes.renew'), onClick: () => void signIn(id) }}>
          {t(`mailboxes.ends.${ending.what}` satisfies Key, {
            day: new Date(ending.at).toLocaleDateString(document.documentElement.lang, { dateStyle: 'medium' })
          })}
        </Banner>
      )}
      {isNewMailbox(mailbox) && <FirstAnswer mailbox={mailbox} />}
      <div className={styles.columns}>
        <form
          className={styles.cards}
          noValidate
          onSubmit={event => {
            event.preventDefault()
            void save()
          }}
        >
          <ConnectionFields
            form={form}
            isNew={false}
            hasPassword={mailbox.imap?.has_password === 1 || mailbox.smtp?.has_password === 1}
            hasClientSecret={mailbox.oauth?.has_client_secret === 1}
          />
          {form.failure && <Banner tone="bad">{form.failure}</Banner>}
          <div className="row-x wrap">
            {isOAuth && (
              <Button
                variant={is_signed_in ? 'plain' : 'primary'}
                onClick={() => void save().then(async done => void (done && (await signIn(id))))}
              >
                {is_signed_in ? t('mailboxes.signInAnew') : t('mailboxes.saveAndSignIn')}
              </Button>
            )}
            <Button type="submit" variant={is_active ? 'primary' : 'plain'} busy={form.isBusy}>
              {t('admin.save')}
            </Button>
            {!is_active && (
              <Button
                variant="primary"
                disabled={!result?.isUsable && !result?.receivesOnly}
                reason={result?.isUsable || result?.receivesOnly ? undefined : t('mailboxes.connectWhen')}
                onClick={() => void save({ is_active: 1 })}
              >
                {result?.receivesOnly ? t('mailboxes.connectReceiveOnly') : t('mailboxes.connect')}
              </Button>
            )}
          </div>
          {is_signed_in === 1 && mailbox.signed_in_as && (
            <p className="t2">{t('mailboxes.signedInAs', { name: mailbox.signed_in_as })}</p>
          )}
        </form>
        <MailboxTest mailbox={mailbox} begins={search.test === 1 || outcome === 'signed_in'} onTried={setResult} />
      </div>
      <IdentityForm mailbox={mailbox} />
    </div>
  )
}
