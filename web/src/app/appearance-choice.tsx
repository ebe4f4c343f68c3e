import { useState } from 'react'
import { chooseLanguage, type Language, language, t } from '../lib/strings.ts'
import { SelectField } from '../ui/field.tsx'
import { SegmentedControl } from '../ui/form-controls.tsx'
import { post } from './api-client.ts'
import { chooseTheme, chosenTheme, type Theme } from './appearance.ts'
import { languageOptions } from './language-options.ts'
import { currentMe } from './me.ts'

/** Light, dark, or as the system has it. Acts at once. */
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

/** The language of the pages; they load again in it. */
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

/** The language of the pages in this browser, and of the e-mails to whoever is signed in. The pages load again in it. */
export async function chooseOwnLanguage(chosen: Language): Promise<void> {
  if (currentMe() && (chosen === 'en' || chosen === 'de')) {
    // Even if it cannot be stored there, the pages change.
    await post('/api/account/profile/update', { language: chosen }).catch(() => undefined)
  }
  chooseLanguage(chosen)
}
