import { ArrowLeft, History } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import { post, queryClient } from '../../app/api-client.ts'
import { queryKeyOf } from '../../app/api-queries.ts'
import { hasReason } from '../../app/failures.ts'
import { useForm } from '../../app/form.ts'
import { useMe } from '../../app/me.ts'
import { reloadQueries } from '../../app/reload-queries.ts'
import { ArticleHtml } from '../../app/rich-text/article-html.tsx'
import { t } from '../../lib/strings.ts'
import { announce } from '../../ui/announce.ts'
import { Badge } from '../../ui/badge.tsx'
import { Banner } from '../../ui/banner.tsx'
import { Button, IconButton } from '../../ui/button.tsx'
import { SelectField, TextField } from '../../ui/field.tsx'
import { SegmentedControl } from '../../ui/form-controls.tsx'
import { MarkdownField } from '../../ui/markdown-field/markdown-field.tsx'
import { PageTitle } from '../../ui/page.tsx'
import { useShortcut } from '../../ui/shortcuts.ts'
import { SplitButton } from '../../ui/split-button.tsx'
import { Time } from '../../ui/time.tsx'
import { toast } from '../../ui/toast.tsx'
import { ChangedByOthers } from '../admin/changed-by-others.tsx'
import list from '../admin/macros/macros.module.css'
import { UnsavedChangesDialog } from '../admin/unsaved-changes-dialog.tsx'
import { Link, useNavigate } from '../navigation.ts'
import { ArticleEcho } from './article-echo.tsx'
import { ArticleMenu } from './article-menu.tsx'
import { articlePictures } from './article-pictures.ts'
import { ArticlePresence } from './article-presence.tsx'
import { ArticlePreview } from './article-preview.tsx'
import { AudienceMenu } from './audience-menu.tsx'
import { BothTexts } from './both-texts.tsx'
import styles from './knowledge.module.css'
import {
  type Article,
  type ArticleDetail,
  authorOf,
  categoryOptions,
  type KnowledgeBase,
  knowledgeFailureText,
  languageName,
  nameOf,
  reloadKnowledge
} from './knowledge-base.ts'
import { PersonalWords, type TicketDraft } from './personal-words.tsx'
import { VersionsDialog } from './versions-dialog.tsx'

const noFeedback: ArticleDetail['feedback'] = { helpful: 0, not_helpful: 0, comments: [] }

interface EditorProps {
  knowledge: KnowledgeBase
  /** Undefined for a new article. */
  detail?: ArticleDetail
  locale: string
  /** Where a new article is written. */
  categoryId?: number | undefined
  /** A new article that begins with the thread of a ticket. */
  from?: TicketDraft & { ticketId: number }
}

/** The text of an article in one language, beside what its readers see. */
export function ArticleEditor({ knowledge, detail, locale, categoryId, from }: EditorProps) {
  const { can } = useMe()
  const navigate = useNavigate()
  const { categories, languages } = knowledge
  const article = detail?.article
  const text = article?.texts[locale]
  const [pane, setPane] = useState<'text' | 'preview'>('text')
  /** What others saved meanwhile, so that it was not saved here. */
  const [theirs, setTheirs] = useState<Article>()
  const [showsBoth, setShowsBoth] = useState(false)
  const [showsVersions, setShowsVersions] = useState(false)
  const options = categoryOptions(categories)
  const form = useForm(
    {
      title: text?.title ?? from?.title ?? '',
      slug: text?.slug ?? '',
      markdown: text?.markdown ?? from?.markdown ?? '',
      category: String(article?.category_id ?? categoryId ?? options[0]?.value ?? '')
    },
    {
      failureText: knowledgeFailureText,
      check: ({ title, markdown }) => ({
        title: title.trim() === '' && t('ui.fieldMissing'),
        markdown: markdown.trim() === '' && t('ui.fieldMissing')
      })
    }
  )
  const mayWrite = can('tickets.reply')
  const mayPublish = can('departments.manage')
  const isArchived = article?.state === 'archived'
  const isUnpublished = text !== undefined && text.latest_version !== text.published_version

  /** What an answer says of the article becomes what is shown, without another request. */
  async function keep(saved: Article) {
    const key = queryKeyOf('/api/admin/kb/articles/detail', { id: saved.id })
    const { tickets = [], feedback = noFeedback } = detail ?? {}
    queryClient.setQueryData(key, { tickets, feedback, article: saved } satisfies ArticleDetail)
    await Promise.all([reloadKnowledge(), reloadQueries('/api/admin/kb/articles/versions')])
  }

  /** Writes the text as a draft, and returns the article that came of it. */
  async function write({ title, slug, markdown, category }: typeof form.values, version?: number): Promise<Article> {
    const texts = { [locale]: { title, markdown, ...(slug.trim() && slug !== text?.slug && { slug: slug.trim() }) } }
    if (!article) {
      const made = (await post('/api/admin/kb/articles/create', { category_id: Number(category), texts })).article
      if (from) await post('/api/admin/kb/tickets/solved-by', { ticket_id: from.ticketId, article_id: made.id })
      return made
    }
    const expected = version === undefined ? {} : { expected_version: version }
    return (await post('/api/admin/kb/articles/update', { id: article.id, texts, ...expected })).article
  }

  /** Saves, and publishes then if that is wanted. `over`: whatever others did meanwhile. */
  async function save({ publishes = false, over = false } = {}, event?: FormEvent): Promise<boolean> {
    let saved = article
    const done = await form.submit(async values => {
      try {
        if (form.isChanged || !saved) saved = await write(values, over ? undefined : article?.version)
        if (!publishes) return
        const body = { id: saved.id, locale, expected_version: saved.version }
        saved = (await post('/api/admin/kb/articles/publish', body)).article
      } catch (error) {
        if (saved && saved !== article) await taken(saved)
        if (!hasReason(error, 'version_conflict')) throw error
        await lookAtTheirs()
        saved = undefined
      }
    }, event)
    if (!done || !saved) return false
    setTheirs(undefined)
    setShowsBoth(false)
    await taken(saved)
    announce(t(publishes ? 'knowledge.wasPublished' : 'knowledge.draftSaved'))
    if (!article) {
      const params = { articleId: String(saved.id) }
      await navigate({ to: '/knowledge/$articleId', params, search: { language: locale }, replace: true })
    }
    return true
  }

  /** Marks the draft for those who may publish, saved before. */
  async function ask() {
    if (form.isChanged && !(await save())) return
    const isDone = await form.submit(async () => {
      const { article: asked } = await post('/api/admin/kb/articles/ask-publishing', { id: article!.id })
      await keep(asked)
    })
    if (isDone) announce(t('knowledge.wasAsked'))
  }

  async function taken(saved: Article) {
    const { title, slug, markdown } = saved.texts[locale]!
    form.reset({ title, slug, markdown, category: String(saved.category_id) })
    await keep(saved)
  }

  async function lookAtTheirs() {
    const { article: now } = await post('/api/admin/kb/articles/detail', { id: article!.id })
    setTheirs(now)
    setShowsBoth(now.texts[locale] !== undefined && now.texts[locale]?.latest_version !== text?.latest_version)
  }

  async function takeTheirs() {
    const mine = form.values
    if (theirs?.texts[locale]) {
      await taken(theirs)
      const undo = () => {
        for (const name of ['title', 'slug', 'markdown'] as const) form.set(name, mine[name])
      }
      toast({ text: t('knowledge.tookTheirs', { name: authorOf(theirs.texts[locale]) }), undo })
    }
    setTheirs(undefined)
    setShowsBoth(false)
  }

  useShortcut('Ctrl s', t('knowledge.saveDraft'), () => void save(), { group: 'writing', when: mayWrite })

  const publishLabel = t(text?.published_version ? 'knowledge.publishChanges' : 'knowledge.publish')
  return (
    <form className={styles.form} onSubmit={event => void save({}, event)} noValidate>
      <Link to="/knowledge" aria-current={false} className={list.back}>
        <ArrowLeft size={16} aria-hidden /> {t('knowledge.knowledge')}
      </Link>
      <header className={`pane-head ${styles.bar}`}>
        <Languages article={article} locale={locale} languages={languages} />
        {text && (
          <span className="muted small">
            {t(isUnpublished ? 'knowledge.draftOf' : 'knowledge.publishedAt')}{' '}
            <Time at={isUnpublished ? text.updated_at : (text.published_at ?? text.updated_at)} />
          </span>
        )}
        {isArchived && <Badge>{t('knowledge.state.archived')}</Badge>}
        {article && (
          <ArticlePresence
            id={article.id}
            typed={form.isChanged ? `${form.values.title}\n${form.values.markdown}` : ''}
          />
        )}
        <span className="grow" />
        {article && (
          <>
            <AudienceMenu
              article={article}
              categories={categories}
              isDisabled={!mayPublish && (!mayWrite || article.state !== 'draft')}
              onChanged={keep}
            />
            {text && (
              <IconButton icon={History} label={t('knowledge.versions')} onClick={() => setShowsVersions(true)} />
            )}
            <ArticleMenu
              article={article}
              locale={locale}
              categories={categories}
              onChanged={keep}
              onDeleted={async () => {
                form.reset()
                await reloadKnowledge()
                void navigate({ to: '/knowledge' })
              }}
            />
          </>
        )}
        {mayPublish && mayWrite && !isArchived ? (
          <SplitButton
            label={publishLabel}
            busy={form.isBusy}
            onClick={() => void save({ publishes: true })}
            menuLabel={t('knowledge.otherWays')}
            menu={[{ label: t('knowledge.saveDraft'), shortcut: 'Ctrl s', onSelect: () => void save() }]}
          />
        ) : mayWrite ? (
          <>
            {article && !isArchived && !article.publishing_asked_at && (isUnpublished || form.isChanged) && (
              <Button busy={form.isBusy} onClick={() => void ask()}>
                {t('knowledge.askPublishing')}
              </Button>
            )}
            <Button variant="primary" busy={form.isBusy} onClick={() => void save()}>
              {t('knowledge.saveDraft')}
            </Button>
          </>
        ) : (
          mayPublish &&
          isUnpublished &&
          !isArchived && (
            <Button variant="primary" busy={form.isBusy} onClick={() => void save({ publishes: true })}>
              {publishLabel}
            </Button>
          )
        )}
      </header>
      <PageTitle className="visually-hidden">{text?.title ?? t('knowledge.newTitle')}</PageTitle>
      <div className={styles.head}>
        {theirs && !showsBoth && (
          <ChangedByOthers
            name={theirs.texts[locale] && authorOf(theirs.texts[locale])}
            onSaveOver={() => void save({ over: true })}
            onShowTheirs={() => void takeTheirs()}
          />
        )}
        {form.failure && <Banner tone="bad">{form.failure}</Banner>}
        {article?.publishing_asked_at && (
          <Banner tone={mayPublish ? 'warn' : 'info'}>
            {article.publishing_asked_by
              ? t('knowledge.askedBy', { name: article.publishing_asked_by })
              : t('knowledge.isAsked')}
          </Banner>
        )}
        {from && !article && (
          <PersonalWords
            words={from.personal}
            text={`${form.values.title}\n${form.values.markdown}`}
            onFind={word => {
              setPane('text')
              requestAnimationFrame(() => selectNext(word))
            }}
          />
        )}
        <TextField
          label={t('knowledge.title')}
          lang={locale}
          dir="auto"
          maxLength={200}
          readOnly={!mayWrite || form.isBusy}
          {...form.field('title')}
        />
        <div className={styles.place}>
          <TextField
            label={t('knowledge.address')}
            optional
            maxLength={100}
            autoCapitalize="off"
            spellCheck={false}
            readOnly={!mayWrite || form.isBusy || Boolean(text?.published_version && !mayPublish)}
            hint={text ? t('knowledge.addressHint') : t('knowledge.addressNew')}
            {...form.field('slug')}
          />
          {article ? (
            <div className={styles.why}>
              <span>
                <AudienceReason article={article} categories={knowledge.categories} />
              </span>
              <ArticleEcho {...detail} />
            </div>
          ) : (
            <SelectField label={t('knowledge.category')} options={options} {...form.field('category')} />
          )}
        </div>
        <div className={styles.switch}>
          <SegmentedControl
            label={t('knowledge.shown')}
            options={[
              { value: 'text', label: t('knowledge.text') },
              { value: 'preview', label: t('knowledge.preview') }
            ]}
            value={pane}
            onChange={setPane}
          />
        </div>
      </div>
      <div className={styles.two} data-shown={pane}>
        <MarkdownField
          label={t('knowledge.markdown')}
          className={styles.text ?? ''}
          lang={locale}
          rows={20}
          maxLength={100_000}
          readOnly={!mayWrite || form.isBusy}
          pictures={articlePictures}
          {...form.field('markdown')}
        />
        <section className={styles.preview} aria-label={t('knowledge.asReaders')} lang={locale}>
          <p className="muted small" lang={document.documentElement.lang}>
            {t('knowledge.asReaders')}
          </p>
          {mayWrite ? <ArticlePreview markdown={form.values.markdown} /> : text && <ArticleHtml html={text.html} />}
        </section>
      </div>
      <UnsavedChangesDialog hasChanges={form.isChanged} title={t('knowledge.unsavedTitle')} onSave={() => save()} />
      {showsBoth && theirs?.texts[locale] && (
        <BothTexts
          theirs={theirs.texts[locale]}
          mine={form.values}
          locale={locale}
          isBusy={form.isBusy}
          onSaveOver={() => void save({ over: true })}
          onTakeTheirs={() => void takeTheirs()}
          onClose={() => setShowsBoth(false)}
        />
      )}
      {showsVersions && article && (
        <VersionsDialog
          article={article}
          locale={locale}
          mayRestore={mayWrite && !form.isChanged}
          onRestored={taken}
          onClose={() => setShowsVersions(false)}
        />
      )}
    </form>
  )
}

/** Selects the next place of a word in the title or the text, after the present selection. */
function selectNext(word: string): void {
  const fields = [...document.querySelectorAll<HTMLTextAreaElement | HTMLInputElement>('[name=markdown], [name=title]')]
  const field = fields.toReversed().find(({ value }) => value.includes(word))
  if (!field) return
  const next = field.value.indexOf(word, field.selectionEnd ?? 0)
  const at = next < 0 ? field.value.indexOf(word) : next
  field.focus()
  field.setSelectionRange(at, at + word.length)
}

interface LanguagesProps {
  article: Article | undefined
  locale: string
  languages: string[]
}

/** A language without a text says that it is to be written. */
function Languages({ article, locale, languages }: LanguagesProps) {
  const navigate = useNavigate()
  const all = [...new Set([...languages, ...Object.keys(article?.texts ?? {})])]
  const options = all.map(value => {
    const language = languageName(value)
    const isMissing = article !== undefined && !(value in article.texts)
    return { value, label: isMissing && value !== locale ? t('knowledge.writeIt', { language }) : language }
  })
  return (
    <SegmentedControl
      label={t('knowledge.language')}
      options={options}
      value={locale}
      onChange={language =>
        void navigate({
          to: '/knowledge/$articleId',
          params: { articleId: String(article?.id ?? 'new') },
          search: former => ({ ...former, language }),
          replace: true
        })
      }
    />
  )
}

/** Who may read it, and which level of the chain says so. */
function AudienceReason({ article, categories }: { article: Article; categories: KnowledgeBase['categories'] }) {
  const { effective_audience, audience_set_by: by } = article
  const audience = t(`knowledge.audience.${effective_audience}`)
  const category = by.kind === 'category' && categories.find(({ id }) => id === by.id)
  return category
    ? t('knowledge.becauseOf', { audience, category: nameOf(category) })
    : t('knowledge.becauseOfItself', { audience })
}
