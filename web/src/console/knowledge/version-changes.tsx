import { useMemo } from 'react'
import { t } from '../../lib/strings.ts'
import { diffTexts } from '../../lib/text-diff.ts'

interface VersionChangesProps {
  former: { title: string; markdown: string }
  latter: { title: string; markdown: string }
  locale: string
}

/** What a version has changed: what is gone is struck through, what is new is underlined. */
export function VersionChanges({ former, latter, locale }: VersionChangesProps) {
  const pieces = useMemo(() => diffTexts(whole(former), whole(latter)), [former, latter])
  if (pieces.every(({ kind }) => kind === 'same')) return <p>{t('knowledge.noChanges')}</p>
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must do so by key as well.
    <pre lang={locale} dir="auto" tabIndex={0}>
      {pieces.map(({ kind, text }, at) => {
        const key = `${at}${kind}`
        if (kind === 'gone') return <del key={key}>{text}</del>
        return kind === 'new' ? <ins key={key}>{text}</ins> : <span key={key}>{text}</span>
      })}
    </pre>
  )
}

function whole({ title, markdown }: VersionChangesProps['former']): string {
  return `${title}\n\n${markdown}`
}
