import type { BodyOf } from '@deskline/client'
import { type FormEvent, Suspense, useState } from 'react'
import { useApiQuery } from '../../app/api-queries.ts'
import { failureOf } from '../../app/failures.ts'
import { useFileLimits } from '../../app/file-limits.ts'
import { useForm } from '../../app/form.ts'
import { lazyPart } from '../../app/lazy-part.ts'
import { QueryState } from '../../app/query-state.tsx'
import type { OpenDraft } from '../../app/use-draft.ts'
import { useTextPictures } from '../../app/use-text-pictures.ts'
import { t } from '../../lib/strings.ts'
import { Banner } from '../../ui/banner.tsx'
import { Button } from '../../ui/button.tsx'
import { TextField } from '../../ui/field.tsx'
import { SegmentedControl } from '../../ui/form-controls.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { areRefused, DropArea, FileField } from '../file-field.tsx'
import { FormatButton, FormattedField } from '../formatted-field.tsx'
import { CancelSend, SendFailure } from '../sending-state.tsx'
import { useFormatting } from '../use-formatting.ts'
import type { Sending } from '../use-sending.ts'
import articles from './articles.module.css'
import { answersOf, type FieldName, faultsOf, noQuestions, typedIn } from './asked-fields.ts'
import { DepartmentChoice } from './department-choice.tsx'
import { FormFields } from './form-fields.tsx'
import { areNewlyAsked } from './newly-asked.ts'
import { type Priority, priorities, priorityText } from './priorities.ts'
import styles from './ticket-form.module.css'

/** Loaded separately: the form does not wait for it. */
const ArticleSuggestions = lazyPart(async () => ({
  default: (await import('./article-suggestions.tsx')).ArticleSuggestions
}))

export interface Filled {
  fields: BodyOf<'/api/tickets/create'>
  files: File[]
  sendKey: string
}

interface TicketFormProps {
  draft: OpenDraft
  sending: Sending
  onSubmit(ticket: Filled): void
  /** Further fields, shown after the text. */
  children?: React.ReactNode
}

type Texts = Record<'department' | 'priority' | 'subject' | 'message' | FieldName, string>

/** The form for a new ticket, kept as a draft. */
export function TicketForm({ draft, sending, onSubmit, children }: TicketFormProps) {
  const { text, files, fields, sendKey } = draft.draft
  const { subject = '', department = '', priority = 'Medium' } = fields
  const departments = useApiQuery('/api/departments', {})
  const [isChecked, setIsChecked] = useState(false)
  const limits = useFileLimits()
  const formatting = useFormatting(draft)
  const setFiles = (files: File[]) => draft.change({ files })
  const addFiles = (added: File[]) => setFiles([...files, ...added])
  const { pictures, filesAfter, below } = useTextPictures(formatting.isFormatted ? text : '', files, limits, setFiles)

  const only = departments.data?.count === 1 ? departments.data.departments[0] : undefined
  const deptid = Number(department || only?.deptid || 0)
  const isKnown = departments.data?.departments.some(one => one.deptid === deptid) ?? false
  const isBusy = sending.state.kind === 'sending' || sending.state.kind === 'waiting'
  const questions = useApiQuery('/api/ticket-forms', { deptid }, { enabled: isKnown })
  const asked = questions.data?.form ?? noQuestions
  const typed = typedIn(asked, fields)
  const refused = sending.state.kind === 'failed' ? (failureOf(sending.state.error)?.errors ?? []) : []
  const form = useForm<Texts>(
    { department, priority, subject, message: text, ...typed },
    {
      onChange: (name, value) =>
        name === 'message' ? formatting.write(value) : draft.change({ fields: { ...fields, [name]: value } }),
      check: ({ subject, message }) => ({
        department: !isKnown && t('portal-ticket.chooseAbout'),
        subject: subject.trim() === '' && t('portal-ticket.subjectMissing'),
        message: message.trim() === '' && t('portal-ticket.whatHappenedMissing'),
        ...Object.fromEntries([...faultsOf(asked, typed)].map(([name, fault]) => [name, t(fault)]))
      })
    }
  )

  function submit(event: FormEvent) {
    setIsChecked(true)
    void form.submit(async ({ subject, message }) => {
      if (areRefused(files, limits) || (await areNewlyAsked(questions))) return
      const answers = { fields: answersOf(asked, typed) }
      const texts = { subject: subject.trim(), message, ...formatting.said }
      const ticket = { deptid, ...texts, priority: priority as Priority, ...answers }
      onSubmit({ fields: ticket, files, sendKey })
    }, event)
  }

  return (
    <QueryState query={departments} skeleton={<Skeleton rows={4} />}>
      {({ departments }) => (
        <form className={`card ${styles.form}`} onSubmit={submit} noValidate>
          <DropArea onFiles={addFiles}>
            {draft.isFromOtherTab && <Banner tone="info">{t('portal-ticket.newerElsewhere')}</Banner>}
            {departments.length > 1 && (
              <DepartmentChoice
                departments={departments}
                chosen={deptid}
                error={form.errors.department}
                onChoose={id => form.set('department', String(id))}
              />
            )}
            <TextField label={t('portal-ticket.subject')} maxLength={255} {...form.field('subject')} />
            <Suspense fallback={<div className={articles.suggestions} />}>
              <ArticleSuggestions draft={draft} />
            </Suspense>
            <FormFields
              form={asked}
              typed={typed}
              errors={{ ...Object.fromEntries(refused.map(name => [name, t('ui.fieldRefused')])), ...form.errors }}
              onChange={(name, value) => form.set(name, value)}
            />
            <FormattedField
              label={t('portal-ticket.whatHappened')}
              rows={6}
              maxLength={500_000}
              hint={t('portal-ticket.whatHappenedHint')}
              aside={<FormatButton {...formatting} />}
              formatting={formatting}
              pictures={pictures}
              onFiles={addFiles}
              {...form.field('message')}
              onChange={(text, moved) => {
                form.set('message', text)
                if (moved && moved.gone.length + moved.back.length > 0) setFiles(filesAfter(moved))
              }}
            />
            <Urgency value={priority as Priority} onChange={value => form.set('priority', value)} />
            {children}
            <FileField
              files={below}
              progress={sending.state.kind === 'sending' ? sending.state.share : undefined}
              isBusy={isBusy}
              onChange={shown => setFiles([...files.filter(file => !below.includes(file)), ...shown])}
            />
            {isChecked && areRefused(files, limits) && <Banner tone="bad">{t('portal-ticket.filesRefused')}</Banner>}
            <SendFailure {...sending} />
            <div className={styles.foot}>
              <Button
                type="submit"
                variant="primary"
                size="lg"
                busy={isBusy}
                busyLabel={t(sending.state.kind === 'waiting' ? 'portal-ticket.waiting' : 'portal-ticket.sending')}
              >
                {t('portal-ticket.sendTicket')}
              </Button>
              <CancelSend {...sending} hasFiles={files.length > 0} />
              <span className={styles.aside}>{t('portal-ticket.numberAtOnce')}</span>
            </div>
          </DropArea>
        </form>
      )}
    </QueryState>
  )
}

function Urgency({ value, onChange }: { value: Priority; onChange(value: Priority): void }) {
  return (
    <div className={styles.urgency}>
      <p className={styles.legend} aria-hidden>
        {t('portal-ticket.howUrgent')}
      </p>
      <SegmentedControl
        label={t('portal-ticket.howUrgent')}
        options={priorities.map(priority => ({ value: priority, label: priorityText(priority) }))}
        value={value}
        onChange={onChange}
      />
      <p className={styles.hint} role="status">
        {t(`portal-ticket.${value.toLowerCase() as Lowercase<Priority>}Hint`)}
      </p>
    </div>
  )
}
