import { Lock, MessageSquareText, Zap } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useApiQuery } from '../../app/api-queries.ts'
import { useStore } from '../../lib/store.ts'
import { loadStrings, t } from '../../lib/strings.ts'
import { openComposer } from '../open-composer.ts'
import type { PaletteItem } from './palette-items.ts'

const mostLines = 5

/** The macros that match, for the reply that is open; those that this person may not use come last, with the reason. */
export function useMacroLines(words: string): PaletteItem[] {
  const composer = useStore(openComposer)
  const isAsked = composer !== undefined && words.length >= 2
  const [areLoaded, setLoaded] = useState(false)
  useEffect(() => {
    if (isAsked) void Promise.resolve(loadStrings('macros')).then(() => setLoaded(true))
  }, [isAsked])
  const { data } = useApiQuery(
    '/api/admin/macros/list',
    { limit: 50, search: words, ...(composer && { deptid: composer.deptid }) },
    { enabled: isAsked, placeholderData: before => before, staleTime: 60_000 }
  )
  if (!isAsked || !areLoaded) return []
  return (data?.macros ?? [])
    .toSorted((one, other) => one.missing_permissions.length - other.missing_permissions.length)
    .slice(0, mostLines)
    .map(({ id, name, actions, missing_permissions: missing }) => ({
      id: `macro ${id}`,
      group: 'macros',
      icon: missing.length > 0 ? Lock : actions.length > 0 ? Zap : MessageSquareText,
      label: name,
      ...(missing.length > 0
        ? { detail: t('macros.needs', { permissions: missing.join(', ') }), isLocked: true }
        : actions.length > 0 && { detail: t('macros.changes', { count: actions.length }) }),
      run: () => composer.putIn({ id, name })
    }))
}
