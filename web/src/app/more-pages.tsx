import { RotateCw } from 'lucide-react'
import { t } from '../lib/strings.ts'
import { Button } from '../ui/button.tsx'
import { failureText } from './failures.ts'
import styles from './more-pages.module.css'

interface Pages {
  hasNextPage: boolean
  isFetchingNextPage: boolean
  isFetchNextPageError: boolean
  error: unknown
  fetchNextPage: () => Promise<unknown>
}

/** The button for more of a list. If the next page could not be loaded it says why, and offers to retry; the list stays. */
export function MorePages({ pages, label }: { pages: Pages; label: string }) {
  if (!pages.hasNextPage) return null
  const hasFailed = pages.isFetchNextPageError
  return (
    <div className={styles.more}>
      {hasFailed && <p role="alert">{failureText(pages.error)}</p>}
      <Button
        {...(hasFailed && { icon: RotateCw })}
        busy={pages.isFetchingNextPage}
        onClick={() => void pages.fetchNextPage()}
      >
        {hasFailed ? t('shared.tryAgain') : label}
      </Button>
    </div>
  )
}
