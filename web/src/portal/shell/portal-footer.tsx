import { useApiQuery } from '../../app/api-queries.ts'
import { languageOptions } from '../../app/language-options.ts'
import { type Language, language, t } from '../../lib/strings.ts'
import { LogoMark } from '../../ui/logo.tsx'

/** Other ways to contact the desk, at the same place on every page. */
export function PortalFooter() {
  const { data: desk } = useApiQuery('/api/desk', {}, { staleTime: Number.POSITIVE_INFINITY })
  return (
    <footer className="portal-foot">
      {desk?.name && <bdi>{desk.name}</bdi>}
      {desk?.phone && (
        <a href={`tel:${desk.phone.replace(/[^+\d]/g, '')}`}>{t('portal-shell.callUs', { phone: desk.phone })}</a>
      )}
      {desk?.privacy_url && <a href={desk.privacy_url}>{t('portal-shell.privacy')}</a>}
      {languageOptions.map(
        ({ value, label }) =>
          value !== language && (
            <button key={value} type="button" lang={value} onClick={() => void choose(value)}>
              {label}
            </button>
          )
      )}
      <span className="portal-by">
        {t('portal-shell.supportBy')} <LogoMark size={16} /> Deskline
      </span>
    </footer>
  )
}

/** The code is loaded when somebody switches the language, which few do. */
const choose = (language: Language) => import('./switch-language.ts').then(it => it.switchLanguage(language))
