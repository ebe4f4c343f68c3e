import { type FormEvent, type ReactNode, useState } from 'react'
import { useForm } from '../../app/form.ts'
import formDialog from '../../app/form-dialog.module.css'
import { t } from '../../lib/strings.ts'
import { announce } from '../../ui/announce.ts'
import { Banner } from '../../ui/banner.tsx'
import { Button } from '../../ui/button.tsx'
import { SavedLabel } from '../../ui/form-controls.tsx'
import { adminFailureText } from '../admin-failure-text.ts'
import { type Settings, saveSettings } from './save-settings.ts'
import styles from './settings.module.css'

/** The settings that are texts, or null. */
type TextSetting = 'name' | 'phone' | 'privacy_url' | 'accent'

/** Settings that are typed and then saved together. Only what was edited is sent, so that changes of others stay. */
export function useSettingsForm<Name extends TextSetting>(names: readonly Name[], settings: Settings, version: number) {
  const [isSaved, setSaved] = useState(false)
  const stored = Object.fromEntries(names.map(name => [name, settings[name]])) as Pick<Settings, Name>
  /** The values at the time when editing began. */
  const [begun, setBegun] = useState({ stored, version })
  const form = useForm(Object.fromEntries(names.map(name => [name, settings[name] ?? ''])) as Record<Name, string>, {
    problems: { privacy_url: t('admin.privacyUnfit'), accent: t('admin.accentUnfit') } as Partial<Record<Name, string>>,
    failureText: adminFailureText
  })

  function discard() {
    form.reset()
    setBegun({ stored, version })
  }

  async function save(event: FormEvent) {
    const done = await form.submit(async values => {
      const next = Object.fromEntries(names.map(name => [name, values[name].trim() || null])) as typeof stored
      const typed = names.filter(name => next[name] !== begun.stored[name])
      if (typed.length === 0) return
      // A value that was changed by others meanwhile is not overwritten.
      const isOverOthers = typed.some(name => settings[name] !== begun.stored[name])
      const changes = Object.fromEntries(typed.map(name => [name, next[name]]))
      await saveSettings({ ...changes, expected_version: isOverOthers ? begun.version : version })
      setBegun({ stored: next, version: version + 1 })
    }, event)
    if (!done) return
    form.markSaved()
    setSaved(true)
    announce(t('admin.saved'))
  }

  return { ...form, discard, save, isSaved }
}

interface SettingsFormProps {
  form: Pick<ReturnType<typeof useSettingsForm>, 'save' | 'discard' | 'isSaved' | 'isChanged' | 'isBusy' | 'failure'>
  children: ReactNode
}

/** The fields of such a form, with its buttons. */
export function SettingsForm({ form, children }: SettingsFormProps) {
  return (
    <form className={formDialog.form} onSubmit={event => void form.save(event)} noValidate>
      {children}
      {form.failure && <Banner tone="bad">{form.failure}</Banner>}
      <div className={styles.acts}>
        <Button variant="primary" type="submit" busy={form.isBusy} busyLabel={t('admin.saving')}>
          {t('admin.save')}
        </Button>
        {form.isChanged && (
          <Button variant="quiet" onClick={form.discard}>
            {t('admin.discard')}
          </Button>
        )}
        {form.isSaved && !form.isChanged && <SavedLabel />}
      </div>
    </form>
  )
}
