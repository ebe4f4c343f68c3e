import { type FormEvent, useState } from 'react'
import { useForm } from '../../../app/form.ts'
import formDialog from '../../../app/form-dialog.module.css'
import { t } from '../../../lib/strings.ts'
import { announce } from '../../../ui/announce.ts'
import { Banner } from '../../../ui/banner.tsx'
import { Button } from '../../../ui/button.tsx'
import { Field, TextField } from '../../../ui/field.tsx'
import { SavedLabel } from '../../../ui/form-controls.tsx'
import { adminFailureText } from '../../admin-failure-text.ts'
import forms from '../forms.module.css'
import { contrastOnWhite, textColorOn } from './contrast.ts'
import { LogoField } from './logo-field.tsx'
import { type Settings, saveSettings } from './save-settings.ts'
import styles from './settings.module.css'

/** The least contrast of graphics (WCAG 2.2, 1.4.11); the service refuses less. */
const leastContrast = 3
const ownAccent = '#2b57c8'

const looksNames = ['name', 'phone', 'privacy_url', 'accent'] as const
type Looks = Pick<Settings, (typeof looksNames)[number]>

/** Name, contact data and accent colour of the desk, as clients see them. */
export function Branding({ settings, version }: { settings: Settings; version: number }) {
  const [isSaved, setSaved] = useState(false)
  const { name, phone, privacy_url, accent } = settings
  /** The values at the time when editing began. */
  const [begun, setBegun] = useState({ looks: { name, phone, privacy_url, accent } as Looks, version })
  const form = useForm(
    { name: name ?? '', phone: phone ?? '', privacy_url: privacy_url ?? '', accent: accent ?? '' },
    {
      problems: { privacy_url: t('admin.privacyUnfit'), accent: t('admin.accentUnfit') },
      failureText: adminFailureText
    }
  )
  const typed = form.values.accent.trim()
  const isColor = /^#[0-9a-f]{6}$/i.test(typed)
  const contrast = isColor ? contrastOnWhite(typed) : undefined
  const isTooLight = contrast !== undefined && contrast < leastContrast

  function discard() {
    form.reset()
    setBegun({ looks: { name, phone, privacy_url, accent }, version })
  }

  async function save(event: FormEvent) {
    const done = await form.submit(async ({ name, phone, privacy_url, accent }) => {
      const orNull = (text: string) => text.trim() || null
      const looks: Looks = {
        name: orNull(name),
        phone: orNull(phone),
        privacy_url: orNull(privacy_url),
        accent: orNull(accent)
      }
      // Only edited values are sent, so that changes of others stay. A value that was changed by others meanwhile is not overwritten.
      const typed = looksNames.filter(name => looks[name] !== begun.looks[name])
      if (typed.length === 0) return
      const isOverOthers = typed.some(name => settings[name] !== begun.looks[name])
      const changes = Object.fromEntries(typed.map(name => [name, looks[name]]))
      await saveSettings({ ...changes, expected_version: isOverOthers ? begun.version : version })
      setBegun({ looks, version: version + 1 })
    }, event)
    if (!done) return
    form.markSaved()
    setSaved(true)
    announce(t('admin.saved'))
  }

  return (
    <div className={`${styles.card} ${styles.padded}`}>
      <h3>{t('admin.branding')}</h3>
      <p className={styles.hint}>{t('admin.brandingHint')}</p>
      <LogoField />
      <form className={formDialog.form} onSubmit={save} noValidate>
        <TextField label={t('admin.deskName')} optional maxLength={100} {...form.field('name')} />
        <TextField label={t('admin.phone')} optional type="tel" maxLength={50} {...form.field('phone')} />
        <TextField
          label={t('admin.privacy')}
          optional
          type="url"
          placeholder="https://"
          maxLength={2000}
          {...form.field('privacy_url')}
        />
        <Field
          label={t('admin.accent')}
          optional
          hint={
            contrast === undefined ? t('admin.accentHint') : t('admin.contrastIs', { contrast: contrastText(contrast) })
          }
          error={form.errors.accent ?? (isTooLight ? t('admin.tooLight', { least: leastContrast }) : undefined)}
        >
          {({ className, ...field }) => (
            <span className={forms.color}>
              <input
                type="color"
                aria-label={t('admin.chooseAccent')}
                value={isColor ? typed : ownAccent}
                onChange={event => form.set('accent', event.target.value)}
              />
              <input
                {...field}
                className={className}
                type="text"
                autoComplete="off"
                spellCheck={false}
                placeholder={ownAccent}
                maxLength={7}
                value={form.values.accent}
                onChange={event => form.set('accent', event.target.value)}
              />
              <span
                className={styles.sample}
                aria-hidden
                style={{ background: isColor ? typed : ownAccent, color: textColorOn(isColor ? typed : ownAccent) }}
              >
                {t('admin.sample')}
              </span>
            </span>
          )}
        </Field>
        {form.failure && <Banner tone="bad">{form.failure}</Banner>}
        <div className={styles.acts}>
          <Button variant="primary" type="submit" busy={form.isBusy} busyLabel={t('admin.saving')}>
            {t('admin.save')}
          </Button>
          {form.isChanged && (
            <Button variant="quiet" onClick={discard}>
              {t('admin.discard')}
            </Button>
          )}
          {isSaved && !form.isChanged && <SavedLabel />}
        </div>
      </form>
    </div>
  )
}

function contrastText(contrast: number): string {
  return new Intl.NumberFormat(document.documentElement.lang, { maximumFractionDigits: 1 }).format(contrast)
}
