import type { DataOf } from '@deskline/client'
import { ArrowLeft, Trash2 } from 'lucide-react'
import { type FormEvent, useRef, useState } from 'react'
import { post } from '../../../app/api-client.ts'
import { useForm } from '../../../app/form.ts'
import { useMe } from '../../../app/me.ts'
import { reloadQueries } from '../../../app/reload-queries.ts'
import { t } from '../../../lib/strings.ts'
import { announce } from '../../../ui/announce.ts'
import { Banner } from '../../../ui/banner.tsx'
import { Button } from '../../../ui/button.tsx'
import { Field, TextField } from '../../../ui/field.tsx'
import { Radio, SavedLabel } from '../../../ui/form-controls.tsx'
import { PageTitle } from '../../../ui/page.tsx'
import { Time } from '../../../ui/time.tsx'
import { adminFailureText } from '../../admin-failure-text.ts'
import { AsyncConfirmDialog } from '../../async-confirm-dialog.tsx'
import { Link } from '../../navigation.ts'
import { UnsavedChangesDialog } from '../unsaved-changes-dialog.tsx'
import styles from './canned.module.css'
import { PlaceholderBar } from './placeholder-bar.tsx'
import { knownPlaceholders, unknownPlaceholdersIn } from './placeholders.ts'
import { Preview } from './preview.tsx'

export type CannedReply = DataOf<'/api/admin/canned-replies/list'>['canned_replies'][number]

interface EditorProps {
  /** Undefined for a new reply. */
  reply?: CannedReply
  onSaved: (id: number) => void
  onLeft: () => void
}

export function CannedEditor({ reply, onSaved, onLeft }: EditorProps) {
  const me = useMe()
  const textarea = useRef<HTMLTextAreaElement>(null)
  const [isSaved, setSaved] = useState(false)
  const [isDeleting, setDeleting] = useState(false)
  const mayShare = me.can('tickets.edit_status')
  const mayOwn = me.can('tickets.reply')
  const mayChange = !reply || (reply.is_shared ? mayShare : mayOwn)
  const form = useForm(
    { title: reply?.title ?? '', text: reply?.text ?? '', who: (reply ? reply.is_shared : mayShare) ? 'all' : 'me' },
    { failureText: adminFailureText }
  )
  const unknown = unknownPlaceholdersIn(form.values.text)
  const unknownText =
    unknown.length > 0
      ? t('admin.unknownPlaceholders', {
          names: unknown.join(', '),
          known: knownPlaceholders.map(name => `{{${name}}}`).join(', ')
        })
      : undefined

  async function save(event?: FormEvent): Promise<boolean> {
    event?.preventDefault()
    if (unknownText) {
      textarea.current?.focus()
      return false
    }
    let id = reply?.id
    const done = await form.submit(async ({ title, text, who }) => {
      const is_shared = who === 'all' ? 1 : 0
      if (reply) {
        const body = { id: reply.id, title, text, is_shared, expected_version: reply.version } as const
        await post('/api/admin/canned-replies/update', body)
      } else {
        const { canned_reply } = await post('/api/admin/canned-replies/create', { title, text, is_shared })
        id = canned_reply.id
      }
    }, event)
    if (!done) return false
    form.markSaved()
    setSaved(true)
    announce(t('admin.saved'))
    await reloadQueries('/api/admin/canned-replies/list')
    onSaved(id!)
    return true
  }

  async function remove() {
    await post('/api/admin/canned-replies/delete', { id: reply!.id, expected_version: reply!.version })
    form.markSaved()
    setDeleting(false)
    announce(t('admin.wasDeleted', { name: reply!.title }))
    await reloadQueries('/api/admin/canned-replies/list')
    onLeft()
  }

  const title = reply?.title ?? t('admin.newReplyTitle')
  return (
    <>
      <Link to="/canned" aria-current={false} className={styles.back}>
        <ArrowLeft size={16} aria-hidden /> {t('admin.cannedReplies')}
      </Link>
      <header className={styles.editorHead}>
        <PageTitle className={styles.editorTitle}>
          <bdi>{title}</bdi>
        </PageTitle>
        {reply && mayChange && (
          <Button variant="danger" icon={Trash2} onClick={() => setDeleting(true)}>
            {t('admin.delete')}
          </Button>
        )}
      </header>
      {!mayChange && <Banner>{t('admin.sharedByOthers')}</Banner>}
      <form className={styles.form} onSubmit={event => void save(event)} noValidate>
        <TextField label={t('admin.title')} maxLength={100} readOnly={!mayChange} {...form.field('title')} />
        <Field label={t('admin.text')} error={unknownText ?? form.errors.text}>
          {({ className: _, ...field }) => (
            <div className={styles.textBox} data-invalid={field['aria-invalid']}>
              {mayChange && <PlaceholderBar textarea={textarea} />}
              <textarea
                {...field}
                ref={textarea}
                dir="auto"
                rows={9}
                maxLength={20_000}
                readOnly={!mayChange}
                value={form.values.text}
                onChange={event => form.set('text', event.target.value)}
              />
            </div>
          )}
        </Field>
        <fieldset className={styles.who} disabled={!mayChange || !mayShare || !mayOwn}>
          <legend>{t('admin.whoMayUse')}</legend>
          <Radio
            name="who"
            label={t('admin.everybody')}
            checked={form.values.who === 'all'}
            onChange={() => form.set('who', 'all')}
          />
          <Radio
            name="who"
            label={t('admin.onlyMe')}
            checked={form.values.who === 'me'}
            onChange={() => form.set('who', 'me')}
          />
          {mayChange && (!mayShare || !mayOwn) && <p>{mayShare ? t('admin.noOwnReplies') : t('admin.noSharing')}</p>}
        </fieldset>
        <Preview
          id={reply?.id}
          text={form.values.text}
          isSaved={reply !== undefined && form.values.text === reply.text}
        />
        {form.failure && <Banner tone="bad">{form.failure}</Banner>}
        {mayChange && (
          <footer className={styles.foot}>
            <Button variant="primary" type="submit" busy={form.isBusy} busyLabel={t('admin.saving')}>
              {t('admin.save')}
            </Button>
            <Button
              variant="quiet"
              onClick={() => {
                form.reset()
                // Runs after the guard against unsaved changes has been updated.
                if (!reply) setTimeout(onLeft)
              }}
            >
              {t('admin.discard')}
            </Button>
            {isSaved && !form.isChanged ? (
              <SavedLabel />
            ) : (
              reply && (
                <span className={styles.changed}>
                  {t('admin.changedOn')} <Time at={reply.updated_at} style="short" />
                </span>
              )
            )}
          </footer>
        )}
      </form>
      <UnsavedChangesDialog hasChanges={form.isChanged} title={t('admin.unsavedReply')} onSave={() => save()} />
      {isDeleting && (
        <AsyncConfirmDialog
          title={t('admin.deleteNamed', { name: reply!.title })}
          text={reply!.is_shared ? t('admin.deleteSharedReply') : t('admin.deleteOwnReply')}
          confirmLabel={t('admin.deleteReply')}
          keepLabel={t('admin.keepReply')}
          onConfirm={remove}
          onClose={() => setDeleting(false)}
        />
      )}
    </>
  )
}
