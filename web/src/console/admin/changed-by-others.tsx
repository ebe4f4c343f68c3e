import { t } from '../../lib/strings.ts'
import { Banner } from '../../ui/banner.tsx'

interface ChangedByOthersProps {
  /** Who it was, if that is known. */
  name?: string | undefined
  onSaveOver(): void
  onShowTheirs(): void
}

/** What is edited was changed by somebody else meanwhile: one can save over it, or look at it instead. */
export function ChangedByOthers({ name, onSaveOver, onShowTheirs }: ChangedByOthersProps) {
  return (
    <Banner tone="warn" action={{ label: t('definition.saveOver'), onClick: onSaveOver }}>
      {name ? t('definition.changedBy', { name }) : t('definition.changedByOthers')}{' '}
      <button type="button" className="link" onClick={onShowTheirs}>
        {t('definition.showTheirs')}
      </button>
    </Banner>
  )
}
