import { keepPreviousData } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { useApiQuery } from '../../../app/api-queries.ts'
import { EmailFrame } from '../../../app/email-frame.tsx'
import { useDebounced } from '../../../app/use-debounced.ts'
import { t } from '../../../lib/strings.ts'
import { Banner } from '../../../ui/banner.tsx'
import { Checkbox, SegmentedControl } from '../../../ui/form-controls.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import styles from './email-templates.module.css'
import { conditionDescription, type EmailTemplate, templateFailureText } from './template-texts.ts'

const settledMilliseconds = 400

interface PreviewProps {
  template: EmailTemplate
  subject: string
  text: string
}

/** A live preview of an e-mail with example values. */
export function EmailPreview({ template, subject, text }: PreviewProps) {
  const { name, language } = template
  const [kind, setKind] = useState<'html' | 'text'>('html')
  const [conditions, setConditions] = useState(() => template.conditions.filter(usually).map(({ name }) => name))
  const words = useDebounced(
    useMemo(() => ({ subject, text }), [subject, text]),
    settledMilliseconds
  )
  const preview = useApiQuery(
    '/api/admin/email-templates/preview',
    { name, language, ...words, conditions },
    { placeholderData: keepPreviousData, retry: false }
  )
  const kinds = [
    { value: 'html' as const, label: t('admin.template.asHtml') },
    { value: 'text' as const, label: t('admin.template.asText') }
  ]
  const { data, error } = preview
  return (
    <section className={styles.preview} aria-label={t('admin.template.preview')}>
      <header>
        <h2>{t('admin.template.preview')}</h2>
        <SegmentedControl label={t('admin.template.preview')} options={kinds} value={kind} onChange={setKind} />
      </header>
      {template.conditions.length > 0 && (
        <fieldset>
          <legend>{t('admin.template.previewWhere')}</legend>
          {template.conditions.map(condition => (
            <Checkbox
              key={condition.name}
              label={conditionDescription(condition)}
              checked={conditions.includes(condition.name)}
              onChange={isOn =>
                setConditions(
                  isOn ? [...conditions, condition.name] : conditions.filter(each => each !== condition.name)
                )
              }
            />
          ))}
        </fieldset>
      )}
      {error && <Banner tone="warn">{templateFailureText(error)}</Banner>}
      {data ? (
        <div className={styles.email} data-stale={error ? true : undefined}>
          <p className={styles.emailSubject}>
            <bdi>{data.subject}</bdi>
          </p>
          {kind === 'html' ? (
            <EmailFrame html={data.html} title={t('admin.template.asHtml')} />
          ) : (
            <pre lang={language}>{data.text}</pre>
          )}
        </div>
      ) : (
        !error && <Skeleton rows={6} />
      )}
    </section>
  )
}

/** Whether a condition holds in the preview: of mutually exclusive ones only the first does. */
function usually({ name }: { name: string }): boolean {
  return !['received', 'opened', 'unproven', 'by_link', 'by_admin', 'by_operator', 'gone'].includes(name)
}
