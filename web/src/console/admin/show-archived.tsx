import { t } from '../../lib/strings.ts'

interface ShowArchivedProps {
  count: number
  areShown: boolean
  onChange: (areShown: boolean) => void
}

/** Opens and closes what is archived, below the list of what is in use; nothing if there is none. */
export function ShowArchived({ count, areShown, onChange }: ShowArchivedProps) {
  if (count === 0) return null
  return (
    <button type="button" className="link" aria-expanded={areShown} onClick={() => onChange(!areShown)}>
      {t(areShown ? 'definition.hideArchived' : 'definition.showArchived', { count })}
    </button>
  )
}
