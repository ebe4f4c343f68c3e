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
import { TextField } from '../../../ui/field.tsx'
import { Radio, SavedLabel } from '../../../ui/form-controls.tsx'
import { PageTitle } from '../../../ui/page.tsx'
import { Time } from '../../../ui/time.tsx'
import { adminFailureText } from '../../admin-failure-text.ts'
import { AsyncConfirmDialog } from '../../async-confirm-dialog.tsx'
import { Link } from '../../navigation.ts'
import { actionsToSend, editedActions } from '../actions/edited-actions.ts'
import { PlaceholderText } from '../actions/placeholder-text.tsx'
import { knownPlaceholders, unknownPlaceholdersIn } from '../actions/placeholders.ts'
import { useActionChoices } from '../actions/use-action-choices.ts'
import { UnsavedChangesDialog } from '../unsaved-changes-dialog.tsx'
import { MacroActions } from './macro-actions.tsx'
import { MacroPlaces } from './macro-places.tsx'
import styles from './macros.module.css'
import type { Macro } from './macros-page.tsx'
import { Preview } from './preview.tsx'

interface EditorProps {
  /** Undefined for a new one. */
  macro?: Macro
  onSaved: (id: number) => void
  onLeft: () => void
}

/** What a macro is called, says and changes, and who has it. */
export function MacroEditor({ macro, onSaved, onLeft }: EditorProps) {
  const me = useMe()
  const choices = useActionChoices()
  const textarea = useRef<HTMLTextAreaElement>(null)
  const [isSaved, setSaved] = useState(false)
  const [isDeleting, setDeleting] = useState(false)
  const [start, setStart] = useState(() => editedActions(macro?.actions ?? []))
  const [actions, setActions] = useState(start)
  const [places, setPlaces] = useState(() => [...(macro?.deptids ?? [])])
  const mayShare = me.can('tickets.edit_status')
  const mayOwn = me.can('tickets.reply')
  const mayChange = !macro || (macro.is_shared ? mayShare : mayOwn)
  const form = useForm(
    {
      name: macro?.name ?? '',
      reply_text: macro?.reply_text ?? '',
      who: (macro ? macro.is_shared : mayShare) ? 'all' : 'me'
    },
    { failureText: adminFailureText, problems: { reply_text: t('macros.textRefused') } }
  )
  const isElsewhere = JSON.stringify(places) !== JSON.stringify(macro?.deptids ?? [])
  const isChanged = form.isChanged || isElsewhere || JSON.stringify(actions) !== JSON.stringify(start)
  const unknown = unknownPlaceholdersIn(form.values.reply_text)
  const unknownText =
    unknown.length > 0
      ? t('macros.unknownPlaceholders', {
          names: unknown.join(', '),
          known: [...knownPlaceholders, 'field.KEY'].map(name => `{{${name}}}`).join(', ')
        })
      : undefined

  async function save(event?: FormEvent): Promise<boolean> {
    event?.preventDefault()
    if (unknownText) {
      textarea.current?.focus()
      return false
    }
    const wanted = actionsToSend(actions)
    if (!wanted) {
      form.setFailure(t('macros.unfinished'))
      return false
    }
    let id = macro?.id
    const done = await form.submit(async ({ name, reply_text, who }) => {
      const is_shared = who === 'all' ? 1 : 0
      const said = { name, actions: wanted, deptids: places, is_shared } as const
      if (macro) {
        const body = { ...said, id: macro.id, reply_text: reply_text || null, expected_version: macro.version }
        await post('/api/admin/macros/update', body)
      } else {
        id = (await post('/api/admin/macros/create', { ...said, ...(reply_text && { reply_text }) })).macro.id
      }
    }, event)
    if (!done) return false
    form.markSaved()
    setStart(actions)
    setSaved(true)
    announce(t('admin.saved'))
    await reloadQueries('/api/admin/macros/list')
    onSaved(id!)
    return true
  }

  async function remove() {
    await post('/api/admin/macros/delete', { id: macro!.id, expected_version: macro!.version })
    form.markSaved()
    setStart(actions)
    setDeleting(false)
    announce(t('admin.wasDeleted', { name: macro!.name }))
    await reloadQueries('/api/admin/macros/list')
    onLeft()
  }

  function discard() {
    form.reset()
    setActions(start)
    setPlaces([...(macro?.deptids ?? [])])
    // Runs after the guard against unsaved changes has been updated.
    if (!macro) setTimeout(onLeft)
  }

  return (
    <>
      <Link to="/macros" aria-current={false} className={styles.back}>
        <ArrowLeft size={16} aria-hidden /> {t('macros.macros')}
      </Link>
      <header className={styles.editorHead}>
        <PageTitle className={styles.editorTitle}>
          <bdi>{macro?.name ?? t('macros.newTitle')}</bdi>
        </PageTitle>
        {macro && <span className={styles.changed}>{t('macros.used', { count: macro.uses_in_30_days })}</span>}
        {macro && mayChange && (
          <Button variant="danger" icon={Trash2} onClick={() => setDeleting(true)}>
            {t('admin.delete')}
          </Button>
        )}
      </header>
      {!mayChange && <Banner>{t('macros.sharedByOthers')}</Banner>}
      {macro && macro.missing_permissions.length > 0 && (
        <Banner tone="warn">{t('macros.mayNotApply', { permissions: macro.missing_permissions.join(', ') })}</Banner>
      )}
      <form className={styles.form} onSubmit={event => void save(event)} noValidate>
        <TextField label={t('macros.name')} maxLength={100} readOnly={!mayChange} {...form.field('name')} />
        <PlaceholderText
          label={t('macros.text')}
          optional
          error={unknownText ?? form.errors.reply_text}
          textarea={textarea}
          fields={choices.fields?.filter(({ client_access }) => client_access !== 'none')}
          rows={7}
          readOnly={!mayChange}
          value={form.values.reply_text}
          onChange={text => form.set('reply_text', text)}
        />
        <MacroActions actions={actions} mayChange={mayChange} onChange={setActions} />
        <fieldset className={styles.who} disabled={!mayChange || !mayShare || !mayOwn}>
          <legend>{t('macros.whoSees')}</legend>
          <Radio
            name="who"
            label={t('macros.everybody')}
            checked={form.values.who === 'all'}
            onChange={() => form.set('who', 'all')}
          />
          <Radio
            name="who"
            label={t('macros.onlyMe')}
            checked={form.values.who === 'me'}
            onChange={() => form.set('who', 'me')}
          />
          <MacroPlaces deptids={places} choices={choices} onChange={setPlaces} />
          {mayChange && (!mayShare || !mayOwn) && <p>{mayShare ? t('macros.noOwn') : t('macros.noSharing')}</p>}
        </fieldset>
        <Preview
          id={macro?.id}
          text={form.values.reply_text}
          isSaved={macro !== undefined && form.values.reply_text === macro.reply_text}
        />
        {form.failure && <Banner tone="bad">{form.failure}</Banner>}
        {mayChange && (
          <footer className="row-x wrap">
            <Button variant="primary" type="submit" busy={form.isBusy} busyLabel={t('admin.saving')}>
              {t('admin.save')}
            </Button>
            <Button variant="quiet" onClick={discard}>
              {t('admin.discard')}
            </Button>
            {isSaved && !isChanged ? (
              <SavedLabel />
            ) : (
              macro && (
                <span className={styles.changed}>
                  {t('macros.changedOn')} <Time at={macro.updated_at} style="inText" />
                </span>
              )
            )}
          </footer>
        )}
      </form>
      <UnsavedChangesDialog hasChanges={isChanged} title={t('macros.unsaved')} onSave={() => save()} />
      {isDeleting && (
        <AsyncConfirmDialog
          title={t('admin.deleteNamed', { name: macro!.name })}
          text={macro!.is_shared ? t('macros.deleteShared') : t('macros.deleteOwn')}
          confirmLabel={t('macros.delete')}
          keepLabel={t('macros.keep')}
          onConfirm={remove}
          onClose={() => setDeleting(false)}
        />
      )}
    </>
  )
}
