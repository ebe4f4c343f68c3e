import { keepPreviousData } from '@tanstack/react-query'
import { useApiQuery } from '../../app/api-queries.ts'
import { failureText } from '../../app/failures.ts'
import { ArticleHtml } from '../../app/rich-text/article-html.tsx'
import { useDebounced } from '../../app/use-debounced.ts'
import { t } from '../../lib/strings.ts'
import { Banner } from '../../ui/banner.tsx'

const settledMilliseconds = 400

/** The text as the server would show it. */
export function ArticlePreview({ markdown }: { markdown: string }) {
  const settled = useDebounced(markdown, settledMilliseconds)
  const isEmpty = settled.trim() === ''
  const preview = useApiQuery(
    '/api/admin/kb/articles/preview',
    { markdown: settled },
    { enabled: !isEmpty, placeholderData: keepPreviousData, retry: false, gcTime: 0 }
  )
  if (isEmpty) return <p className="muted">{t('knowledge.previewEmpty')}</p>
  if (preview.error) return <Banner tone="warn">{failureText(preview.error)}</Banner>
  return preview.data ? <ArticleHtml html={preview.data.html} /> : null
}
