import { Archive, ArchiveRestore, Ellipsis, ExternalLink, FolderInput, Trash2, Undo2 } from 'lucide-react'
import { useState } from 'react'
import { post } from '../../app/api-client.ts'
import { useForm } from '../../app/form.ts'
import { FormDialog } from '../../app/form-dialog.tsx'
import { useMe } from '../../app/me.ts'
import { t } from '../../lib/strings.ts'
import { announce } from '../../ui/announce.ts'
import { Banner } from '../../ui/banner.tsx'
import { SelectField } from '../../ui/field.tsx'
import { Menu, type MenuItem } from '../../ui/menu.tsx'
import { AsyncConfirmDialog } from '../async-confirm-dialog.tsx'
import { EffectText } from './effect.tsx'
import {
  type Article,
  type Category,
  categoryOptions,
  type Effect,
  knowledgeFailureText,
  languageName
} from './knowledge-base.ts'

interface ArticleMenuProps {
  article: Article
  locale: string
  categories: Category[]
  onChanged(article: Article): Promise<void>
  onDeleted(): Promise<void>
}

type Asked = 'move' | 'archive' | 'takeBack' | 'delete'

/** What else can be done with an article: move it, take it out of the help centre and back. */
export function ArticleMenu({ article, locale, categories, onChanged, onDeleted }: ArticleMenuProps) {
  const { can } = useMe()
  const [asked, setAsked] = useState<Asked>()
  const close = () => setAsked(undefined)
  const { id, state } = article
  const text = article.texts[locale]
  const mayPublish = can('departments.manage')
  const body = { id, expected_version: article.version }

  async function changed(work: Promise<{ article: Article }>, said: string) {
    const { article } = await work
    close()
    await onChanged(article)
    announce(said)
  }

  async function remove() {
    await post('/api/admin/kb/articles/delete', body)
    close()
    await onDeleted()
  }

  const items: MenuItem[] = []
  if (mayPublish || state === 'draft')
    items.push({ label: t('knowledge.move'), icon: FolderInput, onSelect: () => setAsked('move') })
  if (state === 'published' && text?.published_version) {
    const category = categories.find(({ id }) => id === article.category_id)
    const slug = category?.slug[locale] ?? Object.values(category?.slug ?? {})[0]
    items.push({ label: t('knowledge.read'), icon: ExternalLink, href: `/help/${locale}/${slug}/${text.slug}` })
    if (mayPublish) {
      const language = languageName(locale)
      const label = t('knowledge.takeBack', { language })
      items.push({ label, icon: Undo2, onSelect: () => setAsked('takeBack') })
    }
  }
  if (mayPublish && state !== 'archived')
    items.push({ label: t('knowledge.archive'), icon: Archive, onSelect: () => setAsked('archive') })
  if (mayPublish && state === 'archived') {
    const unarchive = () => void changed(post('/api/admin/kb/articles/unarchive', body), t('knowledge.isBack'))
    items.push({ label: t('knowledge.unarchive'), icon: ArchiveRestore, onSelect: unarchive })
    items.push({ label: t('knowledge.delete'), icon: Trash2, danger: true, onSelect: () => setAsked('delete') })
  }
  if (items.length === 0) return null
  return (
    <>
      <Menu
        items={items}
        align="end"
        trigger={trigger => (
          <button {...trigger} type="button" className="icon-btn" aria-label={t('knowledge.more')}>
            <Ellipsis size={16} aria-hidden />
          </button>
        )}
      />
      {asked === 'move' && <MoveDialog article={article} categories={categories} onMoved={onChanged} onClose={close} />}
      {(asked === 'archive' || asked === 'takeBack') && (
        <AsyncConfirmDialog
          title={t(asked === 'archive' ? 'knowledge.archiveTitle' : 'knowledge.takeBackTitle')}
          text={t(asked === 'archive' ? 'knowledge.archiveText' : 'knowledge.takeBackText')}
          confirmLabel={
            asked === 'archive' ? t('knowledge.archive') : t('knowledge.takeBack', { language: languageName(locale) })
          }
          keepLabel={t('knowledge.keep')}
          isHarmless
          failureText={knowledgeFailureText}
          onConfirm={() =>
            changed(
              post('/api/admin/kb/articles/archive', asked === 'archive' ? body : { ...body, locale }),
              t('knowledge.isArchived')
            )
          }
          onClose={close}
        />
      )}
      {asked === 'delete' && (
        <AsyncConfirmDialog
          title={t('knowledge.deleteTitle')}
          text={t('knowledge.deleteText')}
          confirmLabel={t('knowledge.delete')}
          keepLabel={t('knowledge.keep')}
          failureText={knowledgeFailureText}
          onConfirm={remove}
          onClose={close}
        />
      )}
    </>
  )
}

interface MoveDialogProps {
  article: Article
  categories: Category[]
  onMoved(article: Article): Promise<void>
  onClose(): void
}

/** Another category. If more or fewer people would see the article, that is shown first. */
function MoveDialog({ article, categories, onMoved, onClose }: MoveDialogProps) {
  const form = useForm({ category: String(article.category_id) }, { failureText: knowledgeFailureText })
  const [shown, setShown] = useState<{ effect: Effect; of: string }>()
  const effect = shown?.of === form.values.category ? shown.effect : undefined

  async function save({ category }: { category: string }) {
    const body = { id: article.id, category_id: Number(category), expected_version: article.version }
    if (!effect) {
      const told = await post('/api/admin/kb/articles/update', { ...body, dry_run: 1 })
      if (told.effect.more_visible + told.effect.less_visible > 0) {
        setShown({ effect: told.effect, of: category })
        return 'stay'
      }
    }
    await onMoved((await post('/api/admin/kb/articles/update', body)).article)
  }

  return (
    <FormDialog
      title={t('knowledge.move')}
      form={form}
      saveLabel={t(effect ? 'knowledge.changeAnyway' : 'knowledge.moveHere')}
      keepLabel={t('definition.discard')}
      onSave={save}
      onClose={onClose}
    >
      <SelectField label={t('knowledge.category')} options={categoryOptions(categories)} {...form.field('category')} />
      {effect && (
        <Banner tone="warn">
          <EffectText effect={effect} />
        </Banner>
      )}
    </FormDialog>
  )
}
