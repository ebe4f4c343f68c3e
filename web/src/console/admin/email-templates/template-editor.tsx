import { RotateCcw } from 'lucide-react'
import { type FormEvent, useRef, useState } from 'react'
import { post } from '../../../app/api-client.ts'
import { failureOf } from '../../../app/failures.ts'
import { useForm } from '../../../app/form.ts'
import { reloadQueries } from '../../../app/reload-queries.ts'
import { t } from '../../../lib/strings.ts'
import { announce } from '../../../ui/announce.ts'
import { Banner } from '../../../ui/banner.tsx'
import { Button } from '../../../ui/button.tsx'
import { TextArea, TextField } from '../../../ui/field.tsx'
import { SavedLabel } from '../../../ui/form-controls.tsx'
import { AsyncConfirmDialog } from '../../async-confirm-dialog.tsx'
import { UnsavedChangesDialog } from '../unsaved-changes-dialog.tsx'
import { EmailPreview } from './email-preview.tsx'
import styles from './email-templates.module.css'
import { Placeholders } from './placeholders.tsx'
import { SendTest } from './send-test.tsx'
import { type EmailTemplate, templateFailureText, templateFaults } from './template-texts.ts'

/** Edits subject and text of an e-mail in one language, with its placeholders and a preview. */
export function TemplateEditor({ template }: { template: EmailTemplate }) {
  const { name, language } = template
  const box = useRef<HTMLDivElement>(null)
  const [version, setVersion] = useState(template.version)
  const [isChangedByUs, setChangedByUs] = useState(template.is_changed === 1)
  const [isSaved, setSaved] = useState(false)
  const [isResetting, setResetting] = useState(false)
  const form = useForm({ subject: template.subject, text: template.text }, { failureText: templateFailureText })
  const { subject, text } = form.values
  const faults = templateFaults(template, form.values)

  async function save(event?: FormEvent): Promise<boolean> {
    event?.preventDefault()
    setSaved(false)
    const done = await form.submit(async ({ subject, text }) => {
      const body = { name, language, subject, text, expected_version: version }
      try {
        settle((await post('/api/admin/email-templates/update', body)).template)
      } catch (error) {
        if (failureOf(error)?.reason !== 'version_conflict') throw error
        // The typed text stays. The next save is based on the version that was loaded now.
        setVersion((await post('/api/admin/email-templates/detail', { name, language })).template.version)
        throw error
      }
    }, event)
    if (!done) return false
    setSaved(true)
    announce(t('admin.saved'))
    return true
  }

  function settle(now: EmailTemplate) {
    setVersion(now.version)
    setChangedByUs(now.is_changed === 1)
    form.reset({ subject: now.subject, text: now.text })
    void reloadQueries('/api/admin/email-templates/list', '/api/admin/email-templates/detail')
  }

  async function reset() {
    const body = { name, language, expected_version: version }
    settle((await post('/api/admin/email-templates/reset', body)).template)
    setSaved(false)
    setResetting(false)
    announce(t('admin.template.wasReset'))
  }

  return (
    <div className={styles.panes}>
      <form className={styles.form} onSubmit={event => void save(event)} noValidate>
        {template.is_used === 0 && <Banner tone="warn">{t('admin.template.notUsed')}</Banner>}
        <div ref={box} className={styles.fields}>
          <TextField
            label={t('admin.template.subject')}
            maxLength={200}
            dir="auto"
            lang={language}
            {...form.field('subject')}
            error={faults.subject ?? form.errors.subject}
          />
          <TextArea
            label={t('admin.template.text')}
            hint={t('admin.template.textHint')}
            rows={16}
            maxLength={10_000}
            lang={language}
            {...form.field('text')}
            error={faults.text ?? form.errors.text}
          />
        </div>
        <Placeholders template={template} box={box} />
        {form.failure && <Banner tone="bad">{form.failure}</Banner>}
        <footer className="row-x wrap">
          <Button variant="primary" type="submit" busy={form.isBusy} busyLabel={t('admin.saving')}>
            {t('admin.save')}
          </Button>
          <SendTest name={name} language={language} subject={subject} text={text} />
          {isChangedByUs && (
            <Button variant="quiet" icon={RotateCcw} onClick={() => setResetting(true)}>
              {t('admin.template.reset')}
            </Button>
          )}
          {isSaved && !form.isChanged && <SavedLabel />}
        </footer>
      </form>
      <EmailPreview template={template} subject={subject} text={text} />
      <UnsavedChangesDialog
        hasChanges={form.isChanged}
        title={t('admin.template.unsavedTitle')}
        onSave={() => save()}
      />
      {isResetting && (
        <AsyncConfirmDialog
          title={t('admin.template.resetTitle')}
          text={t('admin.template.resetMeans')}
          confirmLabel={t('admin.template.reset')}
          keepLabel={t('admin.template.keep')}
          onConfirm={reset}
          onClose={() => setResetting(false)}
        />
      )}
    </div>
  )
}
