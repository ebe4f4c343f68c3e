import type { DataOf } from '@deskline/client'
import { lazy, Suspense, useState } from 'react'
import { post } from '../../app/api-client.ts'
import { useForm } from '../../app/form.ts'
import { MorePages } from '../../app/more-pages.tsx'
import { QueryState } from '../../app/query-state.tsx'
import { useApiPages } from '../../app/use-api-pages.ts'
import { t } from '../../lib/strings.ts'
import { announce } from '../../ui/announce.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Checkbox } from '../../ui/form-controls.tsx'
import { Time } from '../../ui/time.tsx'
import styles from './knowledge.module.css'
import { type Article, authorOf, knowledgeFailureText } from './knowledge-base.ts'

const VersionChanges = lazy(async () => ({ default: (await import('./version-changes.tsx')).VersionChanges }))

type Version = DataOf<'/api/admin/kb/articles/versions'>['versions'][number]

interface VersionsDialogProps {
  article: Article
  locale: string
  /** Not while something is typed: restoring would replace it. */
  mayRestore: boolean
  onRestored(article: Article): Promise<void>
  onClose(): void
}

/** The former texts of an article in one language. A restored one becomes the latest draft. */
export function VersionsDialog({ article, locale, mayRestore, onRestored, onClose }: VersionsDialogProps) {
  const versions = useApiPages('/api/admin/kb/articles/versions', { id: article.id, locale })
  const [chosen, setChosen] = useState(article.texts[locale]!.latest_version)
  const [showsChanges, setShowsChanges] = useState(false)
  const form = useForm({}, { failureText: knowledgeFailureText })
  const latest = article.texts[locale]!.latest_version

  async function restore(version: number) {
    const done = await form.submit(async () => {
      const body = { id: article.id, locale, version, expected_version: article.version }
      await onRestored((await post('/api/admin/kb/articles/restore', body)).article)
    })
    if (!done) return
    announce(t('knowledge.restored', { version }))
    onClose()
  }

  return (
    <Dialog title={t('knowledge.versions')} open onClose={onClose} size={860}>
      <QueryState query={versions}>
        {({ pages }) => {
          const all = pages.flatMap(({ versions }) => versions)
          const shown = all.find(({ version }) => version === chosen)
          const former = all.find(({ version }) => version === chosen - 1)
          return (
            <div className={styles.versions}>
              <div>
                <ul>
                  {all.map(version => (
                    <li key={version.version}>
                      <VersionRow
                        version={version}
                        isShown={version.version === chosen}
                        onShow={() => setChosen(version.version)}
                      />
                    </li>
                  ))}
                </ul>
                <MorePages pages={versions} label={t('knowledge.showMore')} />
              </div>
              {shown && (
                <section aria-label={t('knowledge.versionNumber', { version: shown.version })}>
                  <h3>
                    <bdi>{shown.title}</bdi>
                  </h3>
                  {former && (
                    <Checkbox
                      label={t('knowledge.changesSince', { version: former.version })}
                      checked={showsChanges}
                      onChange={setShowsChanges}
                    />
                  )}
                  {former && showsChanges ? (
                    <Suspense>
                      <VersionChanges former={former} latter={shown} locale={locale} />
                    </Suspense>
                  ) : (
                    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must do so by key as well.
                    <pre lang={locale} dir="auto" tabIndex={0}>
                      {shown.markdown}
                    </pre>
                  )}
                  {shown.version !== latest && (
                    <Button
                      variant="primary"
                      busy={form.isBusy}
                      disabled={!mayRestore}
                      onClick={() => void restore(shown.version)}
                    >
                      {t('knowledge.restore')}
                    </Button>
                  )}
                  {form.failure && <p role="alert">{form.failure}</p>}
                </section>
              )}
            </div>
          )
        }}
      </QueryState>
    </Dialog>
  )
}

function VersionRow({ version, isShown, onShow }: { version: Version; isShown: boolean; onShow(): void }) {
  return (
    <button type="button" aria-pressed={isShown} onClick={onShow}>
      <span>
        {t('knowledge.versionNumber', { version: version.version })}{' '}
        {version.is_published === 1 && <Badge tone="green">{t('knowledge.state.published')}</Badge>}
      </span>
      <small>
        <bdi>{authorOf(version)}</bdi> · <Time at={version.created_at} />
      </small>
    </button>
  )
}
