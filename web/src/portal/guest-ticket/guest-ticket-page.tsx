import { Mail } from 'lucide-react'
import { type FormEvent, useRef, useState } from 'react'
import { Link, Redirect } from 'wouter'
import { post } from '../../app/api-client.ts'
import { useApiQuery } from '../../app/api-queries.ts'
import { failureText } from '../../app/failures.ts'
import { useMaybeMe } from '../../app/me.ts'
import { QueryState } from '../../app/query-state.tsx'
import { useDraft } from '../../app/use-draft.ts'
import { draftKey } from '../../lib/drafts.ts'
import { t } from '../../lib/strings.ts'
import { Banner } from '../../ui/banner.tsx'
import { Button } from '../../ui/button.tsx'
import { TextArea, TextField } from '../../ui/field.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { StateMessage } from '../../ui/state-message.tsx'
import { focusFirstError } from '../field-errors.ts'
import { LinkButton } from '../link-button.tsx'
import { CardPage, PortalPage } from '../portal-page.tsx'
import { rememberEmail } from '../sign-in/remembered-email.ts'
import { isEmail } from '../sign-in/validation.ts'
import { DepartmentChoice } from '../tickets/department-choice.tsx'
import styles from '../tickets/ticket-form.module.css'

/** The form for people without an account, where the desk allows it. Who is signed in has a better one. */
export function GuestTicketPage() {
  const me = useMaybeMe()
  const desk = useApiQuery('/api/desk', {})
  const [sentTo, setSentTo] = useState<string>()
  if (me) return <Redirect to="/new" replace />
  if (sentTo) return <Sent email={sentTo} />
  return (
    <QueryState query={desk} skeleton={<Skeleton rows={3} />}>
      {({ tickets_without_account }) =>
        tickets_without_account === 1 ? (
          <PortalPage
            title={t('portal-open.writeToUs')}
            lede={
              <>
                {t('portal-open.lede')}{' '}
                <Link href="/sign-in?next=%2Fnew" className="link">
                  {t('portal-open.haveAccount')}
                </Link>
              </>
            }
            width="slim"
          >
            <OpenForm onSent={setSentTo} />
          </PortalPage>
        ) : (
          <Closed />
        )
      }
    </QueryState>
  )
}

function OpenForm({ onSent }: { onSent(email: string): void }) {
  const departments = useApiQuery('/api/departments', {})
  const draft = useDraft(draftKey('stranger', 'new', 'ticket'))
  const [isChecked, setIsChecked] = useState(false)
  const [isBusy, setIsBusy] = useState(false)
  const [failure, setFailure] = useState<unknown>()
  const form = useRef<HTMLFormElement>(null)

  const { text, fields } = draft.draft
  const { name = '', email = '', subject = '', department = '' } = fields
  const only = departments.data?.count === 1 ? departments.data.departments[0] : undefined
  const deptid = Number(department || only?.deptid || 0)
  const faults = {
    name: name.trim() === '' && t('portal-open.nameMissing'),
    email: !isEmail(email) && t('portal-open.notWhole'),
    department: deptid === 0 && t('portal-ticket.chooseAbout'),
    subject: subject.trim() === '' && t('portal-ticket.subjectMissing'),
    text: text.trim() === '' && t('portal-ticket.whatHappenedMissing')
  }
  const faultOf = (field: keyof typeof faults) => (isChecked && faults[field]) || undefined
  const set = (field: string) => (value: string) => draft.change({ fields: { ...fields, [field]: value } })

  async function submit(event: FormEvent) {
    event.preventDefault()
    setIsChecked(true)
    setFailure(undefined)
    if (isBusy) return
    if (Object.values(faults).some(Boolean)) return focusFirstError(form)
    setIsBusy(true)
    try {
      const body = { name: name.trim(), email: email.trim(), deptid, subject: subject.trim(), message: text }
      await post('/api/tickets/open', body)
      await draft.clear()
      rememberEmail(email)
      onSent(email.trim())
    } catch (error) {
      setFailure(error)
    } finally {
      setIsBusy(false)
    }
  }

  return (
    <QueryState query={departments} skeleton={<Skeleton rows={3} />}>
      {({ departments }) => (
        <form ref={form} className={`card ${styles.form}`} onSubmit={submit} noValidate>
          <TextField
            label={t('portal-open.name')}
            name="name"
            autoComplete="name"
            maxLength={200}
            value={name}
            error={faultOf('name')}
            onChange={set('name')}
          />
          <TextField
            label={t('shared.email')}
            name="email"
            type="email"
            autoComplete="email"
            maxLength={255}
            hint={t('portal-open.emailHint')}
            value={email}
            error={faultOf('email')}
            onChange={set('email')}
          />
          {departments.length > 1 && (
            <DepartmentChoice
              departments={departments}
              chosen={deptid}
              error={faultOf('department')}
              onChoose={id => set('department')(String(id))}
            />
          )}
          <TextField
            label={t('portal-ticket.subject')}
            name="subject"
            maxLength={255}
            value={subject}
            error={faultOf('subject')}
            onChange={set('subject')}
          />
          <TextArea
            label={t('portal-ticket.whatHappened')}
            name="message"
            rows={6}
            maxLength={500_000}
            hint={t('portal-open.keptHint')}
            value={text}
            error={faultOf('text')}
            onChange={value => draft.change({ text: value })}
          />
          {failure !== undefined && (
            <Banner tone="bad">{t('portal-ticket.notSent', { cause: failureText(failure) })}</Banner>
          )}
          <div className={styles.foot}>
            <Button type="submit" variant="primary" size="lg" busy={isBusy} busyLabel={t('portal-ticket.sending')}>
              {t('portal-ticket.sendTicket')}
            </Button>
          </div>
        </form>
      )}
    </QueryState>
  )
}

function Sent({ email }: { email: string }) {
  const [before, after] = t('portal-open.sentText', { address: '\n' }).split('\n')
  return (
    <CardPage
      title={t('portal-open.sent')}
      icon={<Mail size={22} aria-hidden />}
      lede={
        <span role="status">
          {before}
          <bdi>{email}</bdi>
          {after}
        </span>
      }
    >
      <LinkButton href="/sign-in" size="lg" block>
        {t('shared.signIn')}
      </LinkButton>
    </CardPage>
  )
}

function Closed() {
  return (
    <PortalPage title={t('portal-open.closed')} isHeadless>
      <StateMessage
        kind="403"
        heading="h1"
        title={t('portal-open.closed')}
        text={t('portal-open.closedText')}
        action={<LinkButton href="/sign-in?next=%2Fnew">{t('shared.signIn')}</LinkButton>}
      />
    </PortalPage>
  )
}
