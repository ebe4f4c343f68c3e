import { useState } from 'react'
import { chooseLanguage, type Language, language, t } from '../lib/strings.ts'
import { Segmented } from '../ui/choice.tsx'
import { SelectField } from '../ui/field.tsx'
import { chooseTheme, chosenTheme, type Theme } from './appearance.ts'
import { languageOptions } from './language-options.ts'

/** Light, dark, or as the system has it. Acts at once. */
export function ThemeChoice() {
  const [theme, setTheme] = useState(chosenTheme)
  const options: { value: Theme; label: string }[] = [
    { value: 'system', label: t('ui.themeSystem') },
    { value: 'light', label: t('ui.themeLight') },
    { value: 'dark', label: t('ui.themeDark') }
  ]
  return (
    <Segmented
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
      onChange={chosen => chooseLanguage(chosen as Language)}
    />
  )
}
