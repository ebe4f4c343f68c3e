import { Mail } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import { post } from '../../app/api-client.ts'
import { useApiQuery } from '../../app/api-queries.ts'
import { failureText } from '../../app/failures.ts'
import { useForm } from '../../app/form.ts'
import { useMaybeMe } from '../../app/me.ts'
import { QueryState } from '../../app/query-state.tsx'
import { useDraft } from '../../app/use-draft.ts'
import { draftKey } from '../../lib/drafts.ts'
import { t } from '../../lib/strings.ts'
import { Banner } from '../../ui/banner.tsx'
import { Button } from '../../ui/button.tsx'
import { TextArea, TextField } from '../../ui/field.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { LinkButton } from '../link-button.tsx'
import { Link, Redirect } from '../navigation.ts'
import { CardPage, PortalPage } from '../portal-page.tsx'
import { rememberEmail } from '../sign-in/remembered-email.ts'
import { isEmail } from '../sign-in/validation.ts'
import { StatePage } from '../state-page.tsx'
import { answersOf, type FieldName, faultsOf, noQuestions, typedIn } from '../tickets/asked-fields.ts'
import { DepartmentChoice } from '../tickets/department-choice.tsx'
import { FormFields } from '../tickets/form-fields.tsx'
import { areNewlyAsked } from '../tickets/newly-asked.ts'
import styles from '../tickets/ticket-form.module.css'
import { useGivenSubject } from '../tickets/use-given-subject.ts'

/** The form for people without an account, if the desk allows it. People who are signed in are redirected to their own form. */
export function GuestTicketPage() {
  const me = useMaybeMe()
  const desk = useApiQuery('/api/desk', {})
  const [sentTo, setSentTo] = useState<string>()
  if (me) return <Redirect to="/new" />
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
                <Link to="/sign-in" search={{ next: '/new' }} className="link">
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

type Texts = Record<'name' | 'email' | 'department' | 'subject' | 'message' | FieldName, string>

function OpenForm({ onSent }: { onSent(email: string): void }) {
  const departments = useApiQuery('/api/departments', {})
  const draft = useDraft(draftKey('stranger', 'new', 'ticket'))
  useGivenSubject(draft)
  const { text, fields } = draft.draft
  const { name = '', email = '', subject = '', department = '' } = fields
  const only = departments.data?.count === 1 ? departments.data.departments[0] : undefined
  const deptid = Number(department || only?.deptid || 0)
  const questions = useApiQuery('/api/ticket-forms', { deptid }, { enabled: deptid > 0 })
  const asked = questions.data?.form ?? noQuestions
  const typed = typedIn(asked, fields)
  const form = useForm<Texts>(
    { name, email, department, subject, message: text, ...typed },
    {
      onChange: (field, value) =>
        draft.change(
          field === 'message'
            ? { text: value, caret: [value.length, value.length] }
            : { fields: { ...fields, [field]: value } }
        ),
      check: ({ name, email, subject, message }) => ({
        name: name.trim() === '' && t('portal-open.nameMissing'),
        email: !isEmail(email) && t('portal-open.notWhole'),
        department: deptid === 0 && t('portal-ticket.chooseAbout'),
        subject: subject.trim() === '' && t('portal-ticket.subjectMissing'),
        message: message.trim() === '' && t('portal-ticket.whatHappenedMissing'),
        ...Object.fromEntries([...faultsOf(asked, typed)].map(([name, fault]) => [name, t(fault)]))
      }),
      failureText: error => t('portal-ticket.notSent', { cause: failureText(error) })
    }
  )

  function submit(event: FormEvent) {
    void form.submit(async ({ name, email, subject, message }) => {
      if (await areNewlyAsked(questions)) return
      const body = { name: name.trim(), email: email.trim(), deptid, subject: subject.trim(), message }
      const answers = { fields: answersOf(asked, typed) }
      await post('/api/tickets/open', { ...body, ...answers })
      await draft.clear()
      rememberEmail(email)
      onSent(email.trim())
    }, event)
  }

  return (
    <QueryState query={departments} skeleton={<Skeleton rows={3} />}>
      {({ departments }) => (
        <form className={`card ${styles.form}`} onSubmit={submit} noValidate>
          <TextField label={t('portal-open.name')} autoComplete="name" maxLength={200} {...form.field('name')} />
          <TextField
            label={t('shared.email')}
            type="email"
            autoComplete="email"
            maxLength={255}
            hint={t('portal-open.emailHint')}
            {...form.field('email')}
          />
          {departments.length > 1 && (
            <DepartmentChoice
              departments={departments}
              chosen={deptid}
              error={form.errors.department}
              onChoose={id => form.set('department', String(id))}
            />
          )}
          <TextField label={t('portal-ticket.subject')} maxLength={255} {...form.field('subject')} />
          <FormFields
            form={asked}
            typed={typed}
            errors={form.errors}
            onChange={(name, value) => form.set(name, value)}
          />
          <TextArea
            label={t('portal-ticket.whatHappened')}
            rows={6}
            maxLength={500_000}
            hint={t('portal-open.keptHint')}
            {...form.field('message')}
          />
          {form.failure && <Banner tone="bad">{form.failure}</Banner>}
          <div className={styles.foot}>
            <Button type="submit" variant="primary" size="lg" busy={form.isBusy} busyLabel={t('portal-ticket.sending')}>
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
      <LinkButton to="/sign-in" size="lg" block>
        {t('shared.signIn')}
      </LinkButton>
    </CardPage>
  )
}

function Closed() {
  return (
    <StatePage
      kind="403"
      title={t('portal-open.closed')}
      text={t('portal-open.closedText')}
      action={
        <LinkButton to="/sign-in" search={{ next: '/new' }}>
          {t('shared.signIn')}
        </LinkButton>
      }
    />
  )
}
