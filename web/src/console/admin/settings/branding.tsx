import { t } from '../../../lib/strings.ts'
import { Field, TextField } from '../../../ui/field.tsx'
import forms from '../forms.module.css'
import type { Settings } from '../save-settings.ts'
import { SettingPlace } from '../setting-row.tsx'
import styles from '../settings.module.css'
import { SettingsForm, useSettingsForm } from '../settings-form.tsx'
import { contrastOnWhite, textColorOn } from './contrast.ts'
import { LogoField } from './logo-field.tsx'

/** The least contrast of graphics (WCAG 2.2, 1.4.11); the service refuses less. */
const leastContrast = 3
const ownAccent = '#2b57c8'

/** Logo, accent colour and contact data of the desk, as clients see them. */
export function Branding({ settings, version }: { settings: Settings; version: number }) {
  const form = useSettingsForm(['phone', 'privacy_url', 'accent'], settings, version)
  const typed = form.values.accent.trim()
  const isColor = /^#[0-9a-f]{6}$/i.test(typed)
  const contrast = isColor ? contrastOnWhite(typed) : undefined
  const isTooLight = contrast !== undefined && contrast < leastContrast

  return (
    <div className={`${styles.card} ${styles.padded}`}>
      <h2>{t('admin.branding')}</h2>
      <p className={styles.hint}>{t('admin.brandingHint')}</p>
      <SettingPlace setting="logo">
        <LogoField />
      </SettingPlace>
      <SettingsForm form={form}>
        <SettingPlace setting="phone">
          <TextField label={t('admin.phone')} optional type="tel" maxLength={50} {...form.field('phone')} />
        </SettingPlace>
        <SettingPlace setting="privacy">
          <TextField
            label={t('admin.privacy')}
            optional
            type="url"
            placeholder="https://"
            maxLength={2000}
            {...form.field('privacy_url')}
          />
        </SettingPlace>
        <SettingPlace setting="accent">
          <Field
            label={t('admin.accent')}
            optional
            hint={
              contrast === undefined
                ? t('admin.accentHint')
                : t('admin.contrastIs', { contrast: contrastText(contrast) })
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
        </SettingPlace>
      </SettingsForm>
    </div>
  )
}

function contrastText(contrast: number): string {
  return new Intl.NumberFormat(document.documentElement.lang, { maximumFractionDigits: 1 }).format(contrast)
}
