import type { DataOf } from '@deskline/client'
import { useState } from 'react'
import { post } from '../../app/api-client.ts'
import { useApiQuery } from '../../app/api-queries.ts'
import { failureText } from '../../app/failures.ts'
import { QueryState } from '../../app/query-state.tsx'
import { ArticleHtml } from '../../app/rich-text/article-html.tsx'
import { t } from '../../lib/strings.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { toast } from '../../ui/toast.tsx'
import styles from './articles.module.css'

interface ArticlePanelProps {
  article: DataOf<'/api/kb/suggest'>['articles'][number]
  onSolved(): void
  onClose(): void
}

/** An article over the form, which stays as it is below. */
export function ArticlePanel({ article: { id, locale, title }, onSolved, onClose }: ArticlePanelProps) {
  const [isBusy, setBusy] = useState(false)
  const read = useApiQuery('/api/kb/article', { id, locale })

  async function solve() {
    setBusy(true)
    try {
      await post('/api/kb/solved', { article_id: id, locale })
      onSolved()
    } catch (error) {
      setBusy(false)
      toast({ text: failureText(error), tone: 'bad' })
    }
  }

  return (
    <Dialog
      title={<bdi lang={locale}>{title}</bdi>}
      open
      size={620}
      className={styles.panel!}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>{t('portal-ticket.backToWriting')}</Button>
          <Button variant="primary" busy={isBusy} onClick={() => void solve()}>
            {t('portal-ticket.answeredIt')}
          </Button>
        </>
      }
    >
      <QueryState query={read} failedTitle={t('portal-ticket.articleFailed')} heading="p">
        {({ article }) => (
          <article lang={article.locale}>
            <ArticleHtml html={article.html} />
          </article>
        )}
      </QueryState>
    </Dialog>
  )
}
