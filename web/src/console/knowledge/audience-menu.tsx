import { ChevronDown } from 'lucide-react'
import { useState } from 'react'
import { post } from '../../app/api-client.ts'
import { t } from '../../lib/strings.ts'
import { Menu, type MenuItem } from '../../ui/menu.tsx'
import { toast } from '../../ui/toast.tsx'
import { AsyncConfirmDialog } from '../async-confirm-dialog.tsx'
import { EffectText } from './effect.tsx'
import {
  type Article,
  type Audience,
  audienceIcons,
  audiences,
  type Category,
  type Effect,
  knowledgeFailureText,
  nameOf
} from './knowledge-base.ts'

interface AudienceMenuProps {
  article: Article
  categories: Category[]
  isDisabled: boolean
  onChanged(article: Article): Promise<void>
}

/** Who may read an article. What a change would do is shown first. */
export function AudienceMenu({ article, categories, isDisabled, onChanged }: AudienceMenuProps) {
  const [asked, setAsked] = useState<{ audience: Audience | null; effect: Effect }>()
  const category = categories.find(({ id }) => id === article.category_id)
  const Shown = audienceIcons[article.effective_audience]
  const change = (audience: Audience | null) => ({ id: article.id, audience, expected_version: article.version })

  async function ask(audience: Audience | null) {
    if (audience === article.audience) return
    try {
      const { effect } = await post('/api/admin/kb/articles/update', { ...change(audience), dry_run: 1 })
      setAsked({ audience, effect })
    } catch (error) {
      toast({ text: knowledgeFailureText(error), tone: 'bad' })
    }
  }

  async function save() {
    const changed = await post('/api/admin/kb/articles/update', change(asked!.audience))
    setAsked(undefined)
    await onChanged(changed.article)
  }

  const items: MenuItem[] = [
    {
      label: t('knowledge.asCategory', { category: category ? nameOf(category) : '' }),
      kind: 'checkbox',
      checked: article.audience === null,
      onSelect: () => void ask(null)
    },
    ...audiences.map(audience => ({
      label: t(`knowledge.audience.${audience}`),
      kind: 'checkbox' as const,
      checked: article.audience === audience,
      onSelect: () => void ask(audience)
    }))
  ]
  return (
    <>
      <Menu
        items={items}
        align="end"
        trigger={trigger => (
          <button
            {...trigger}
            type="button"
            className="btn sm"
            disabled={isDisabled}
            data-tip={t('knowledge.whoReads')}
          >
            <Shown size={14} aria-hidden />
            <span className="visually-hidden">{t('knowledge.whoReads')}: </span>
            {t(`knowledge.audience.${article.effective_audience}`)}
            <ChevronDown size={14} aria-hidden />
          </button>
        )}
      />
      {asked && (
        <AsyncConfirmDialog
          title={t('knowledge.audienceTitle')}
          text={<EffectText effect={asked.effect} />}
          confirmLabel={t('knowledge.changeAudience')}
          keepLabel={t('knowledge.keep')}
          isHarmless
          failureText={knowledgeFailureText}
          onConfirm={save}
          onClose={() => setAsked(undefined)}
        />
      )}
    </>
  )
}
