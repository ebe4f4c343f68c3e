import { useState } from 'react'
import { chooseLanguage, type Language, language, t } from '../lib/strings.ts'
import { SelectField } from '../ui/field.tsx'
import { SegmentedControl } from '../ui/form-controls.tsx'
import { post } from './api-client.ts'
import { chooseTheme, chosenTheme, type Theme } from './appearance.ts'
import { languageOptions } from './language-options.ts'
import { currentMe } from './me.ts'

/** Light, dark or the system's theme. Takes effect at once. */
export function ThemeChoice() {
  const [theme, setTheme] = useState(chosenTheme)
  const options: { value: Theme; label: string }[] = [
    { value: 'system', label: t('ui.themeSystem') },
    { value: 'light', label: t('ui.themeLight') },
    { value: 'dark', label: t('ui.themeDark') }
  ]
  return (
    <SegmentedControl
      label={t('ui.appearance')}
      options={options}
      value={theme}
      onChange={chosen => {
        chooseTheme(chosen)
        setTheme(chosen)
      }}
    />
  )
}

/** The language of the pages. Choosing one reloads them. */
export function LanguageChoice() {
  return (
    <SelectField
      label={t('ui.language')}
      value={language}
      options={languageOptions}
      onChange={chosen => void chooseOwnLanguage(chosen as Language)}
    />
  )
}

/** The language of the pages in this browser, and of e-mails to the signed-in person. Choosing one reloads the pages. */
export async function chooseOwnLanguage(chosen: Language): Promise<void> {
  if (currentMe() && (chosen === 'en' || chosen === 'de')) {
    // If the profile cannot be updated, the pages still change their language.
    await post('/api/account/profile/update', { language: chosen }).catch(() => undefined)
  }
  chooseLanguage(chosen)
}
