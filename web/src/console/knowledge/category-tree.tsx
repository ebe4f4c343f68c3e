import { ArrowDown, ArrowUp, ChevronDown, ChevronRight, Ellipsis, FilePlus, Pencil, Trash2 } from 'lucide-react'
import { Fragment, useState } from 'react'
import { post } from '../../app/api-client.ts'
import { useMe } from '../../app/me.ts'
import { setLocalSetting, useLocalSetting } from '../../lib/local-setting.ts'
import { type Key, t } from '../../lib/strings.ts'
import { numberText } from '../../lib/times.ts'
import { announce } from '../../ui/announce.ts'
import { Badge } from '../../ui/badge.tsx'
import type { Icon } from '../../ui/icon.tsx'
import { Menu, type MenuItem } from '../../ui/menu.tsx'
import { StateMessage } from '../../ui/state-message.tsx'
import { AsyncConfirmDialog } from '../async-confirm-dialog.tsx'
import { Link, useNavigate } from '../navigation.ts'
import { CategoryDialog } from './category-dialog.tsx'
import styles from './knowledge.module.css'
import {
  type Audience,
  audienceIcons,
  audiences,
  type Category,
  inOrder,
  knowledgeFailureText,
  nameOf,
  reloadKnowledge
} from './knowledge-base.ts'
import { type ListedArticle, MoveHandle, type TreeMoves, useTreeMoves } from './tree-moves.tsx'
import { type Place, placeAt, placeOf } from './tree-places.ts'

interface TreeProps {
  categories: Category[]
  languages: string[]
  articles: ListedArticle[]
  /** Whether these are all articles, so that they can be counted. */
  isWhole: boolean
  isSearch: boolean
  chosen: string | undefined
}

/** The categories with their articles. A search shows only those in which something was found. */
export function CategoryTree({ categories, languages, articles, isWhole, isSearch, chosen }: TreeProps) {
  const [opened, setOpened] = useState<{ what: 'edit' | 'delete'; category: Category }>()
  const within = Map.groupBy(articles, ({ category_id }) => category_id)
  const [folded, fold] = useFolded()
  const shown = inOrder(categories, isSearch ? undefined : folded).filter(({ id }) => !isSearch || within.has(id))
  const close = () => setOpened(undefined)
  const { can } = useMe()
  const moves = useTreeMoves(categories, folded)
  const slot = slotOf(moves, categories, shown)
  // Among what a search has found nothing has its place.
  const mayMove = !isSearch && can('departments.manage')
  const mayMoveDrafts = !isSearch && can('tickets.reply')

  async function remove({ id, version }: Category) {
    await post('/api/admin/kb/categories/delete', { id, expected_version: version })
    close()
    await reloadKnowledge()
    announce(t('knowledge.categoryDeleted'))
  }

  if (shown.length === 0)
    return (
      <StateMessage
        title={t(isSearch ? 'knowledge.noneFound' : 'knowledge.noneYet')}
        text={t(isSearch ? 'knowledge.noneFoundText' : 'knowledge.noneYetText')}
      />
    )
  return (
    <>
      <ul className={styles.tree}>
        {slot?.after === undefined && slot && <Slot {...slot} />}
        {shown.map(category => (
          <Fragment key={category.id}>
            <li
              data-depth={category.depth}
              data-category={category.id}
              data-target={(moves.lifted && targetOf(moves) === category.id) || undefined}
            >
              {mayMove && <MoveHandle moves={moves} own={{ category, place: placeOf(categories, category) }} />}
              <CategoryRow
                category={category}
                neighbours={mayMove ? neighboursOf(categories, category) : undefined}
                onPut={place => moves.put(category, place)}
                count={isWhole ? (within.get(category.id)?.length ?? 0) : undefined}
                // What a search has found is shown in any case.
                isFolded={isSearch ? undefined : folded.has(category.id)}
                onFold={isFolded => fold(category.id, isFolded)}
                onOpen={what => setOpened({ what, category })}
              />
              {(isSearch || !folded.has(category.id)) && (
                <ul>
                  {within.get(category.id)?.map(article => (
                    <li key={article.id}>
                      {(mayMove || (mayMoveDrafts && article.state === 'draft')) && (
                        <MoveHandle moves={moves} own={{ article, into: category.id }} />
                      )}
                      <ArticleRow
                        article={article}
                        above={category.audience}
                        isChosen={String(article.id) === chosen}
                      />
                    </li>
                  ))}
                </ul>
              )}
            </li>
            {slot?.after === category.id && <Slot {...slot} />}
          </Fragment>
        ))}
      </ul>
      <Legend mayMove={mayMove} />
      {moves.dialog}
      {opened?.what === 'edit' && (
        <CategoryDialog category={opened.category} categories={categories} languages={languages} onClose={close} />
      )}
      {opened?.what === 'delete' && (
        <AsyncConfirmDialog
          title={t('knowledge.deleteCategoryTitle', { name: nameOf(opened.category) })}
          text={t('knowledge.deleteCategoryText')}
          confirmLabel={t('knowledge.deleteCategory')}
          keepLabel={t('knowledge.keep')}
          failureText={knowledgeFailureText}
          onConfirm={() => remove(opened.category)}
          onClose={close}
        />
      )}
    </>
  )
}

interface SlotProps {
  /** The category whose row is above; undefined: none is. */
  after: number | undefined
  depth: number
}

/** Where a lifted category would lie. */
function slotOf({ lifted }: TreeMoves, categories: Category[], shown: Category[]): SlotProps | undefined {
  if (!lifted || 'article' in lifted || !lifted.place) return undefined
  const { parent_id, before_id } = lifted.place
  const depth = (categories.find(({ id }) => id === parent_id)?.depth ?? 0) + 1
  if (before_id !== null) return { after: shown[shown.findIndex(({ id }) => id === before_id) - 1]?.id, depth }
  const within = new Set([parent_id, ...inOrder(categories, undefined, parent_id).map(({ id }) => id)])
  return { after: shown.findLast(({ id }) => within.has(id))?.id, depth }
}

function Slot({ depth }: SlotProps) {
  return <li className={styles.slot} data-depth={depth} aria-hidden />
}

/** The category in which something lifted would lie. */
function targetOf({ lifted }: TreeMoves): number | null | undefined {
  if (!lifted) return undefined
  return 'article' in lifted ? lifted.into : lifted.place?.parent_id
}

/** What the marks say, and how rows are moved. */
function Legend({ mayMove }: { mayMove: boolean }) {
  return (
    <div className={styles.legend}>
      <p>
        {t('knowledge.legend')}
        {audiences.toReversed().map(audience => {
          if (audience === 'public') return null
          const Shown = audienceIcons[audience]
          return (
            <span key={audience}>
              <Shown size={14} aria-hidden /> {t(`knowledge.audience.${audience}`)}
            </span>
          )
        })}
      </p>
      {mayMove && <p className={styles.keys}>{t('knowledge.legendMove')}</p>}
    </div>
  )
}

/** The places one up and one down within its level. */
function neighboursOf(categories: Category[], category: Category): { up: Place | undefined; down: Place | undefined } {
  const level = categories.filter(({ parent_id }) => parent_id === category.parent_id)
  const at = level.findIndex(({ id }) => id === category.id)
  const [above, below] = [level[at - 1], level[at + 1]]
  return {
    up: above && placeAt(categories, above, 'above', category.id),
    down: below && placeAt(categories, below, 'below', category.id)
  }
}

const foldedKey = 'deskline:folded-categories'

/** The categories that are folded in this browser. */
function useFolded(): [ReadonlySet<number>, (id: number, isFolded: boolean) => void] {
  const kept = useLocalSetting(foldedKey) ?? ''
  const folded = new Set(kept.split(' ').filter(Boolean).map(Number))
  const fold = (id: number, isFolded: boolean) => {
    const others = [...folded].filter(other => other !== id)
    setLocalSetting(foldedKey, (isFolded ? [...others, id] : others).join(' '))
  }
  return [folded, fold]
}

interface RowProps {
  category: Category
  count: number | undefined
  /** Undefined where it cannot be folded. */
  isFolded: boolean | undefined
  onFold(isFolded: boolean): void
  /** Where it goes by its menu; undefined where nothing is moved. */
  neighbours: ReturnType<typeof neighboursOf> | undefined
  onPut(place: Place): void
  onOpen(what: 'edit' | 'delete'): void
}

function CategoryRow({ category, count, isFolded, onFold, neighbours, onPut, onOpen }: RowProps) {
  const { can } = useMe()
  const navigate = useNavigate()
  const name = nameOf(category)
  const items: MenuItem[] = []
  if (can('tickets.reply')) {
    const search = { category: category.id }
    const write = () => void navigate({ to: '/knowledge/$articleId', params: { articleId: 'new' }, search })
    items.push({ label: t('knowledge.newHere'), icon: FilePlus, onSelect: write })
  }
  if (can('departments.manage')) {
    items.push({ label: t('knowledge.editCategory'), icon: Pencil, onSelect: () => onOpen('edit') })
    if (neighbours) {
      const { up, down } = neighbours
      items.push(
        moveItem('definition.moveUp', ArrowUp, up, 'definition.isFirst'),
        moveItem('definition.moveDown', ArrowDown, down, 'definition.isLast')
      )
    }
    const remove = () => onOpen('delete')
    items.push({ label: t('knowledge.deleteCategory'), icon: Trash2, danger: true, onSelect: remove })
  }
  function moveItem(label: Key, icon: Icon, place: Place | undefined, refusal: Key): MenuItem {
    const disabledReason = place ? undefined : t(refusal)
    return { label: t(label), icon, disabledReason, onSelect: () => place && onPut(place) }
  }
  return (
    <div className={styles.category} data-head>
      <h2>
        {isFolded === undefined ? (
          <bdi>{name}</bdi>
        ) : (
          <button type="button" className={styles.fold} aria-expanded={!isFolded} onClick={() => onFold(!isFolded)}>
            {isFolded ? <ChevronRight size={14} aria-hidden /> : <ChevronDown size={14} aria-hidden />}
            <bdi>{name}</bdi>
          </button>
        )}
      </h2>
      <AudienceMark audience={category.audience} />
      {count !== undefined && <span className="muted num">{numberText(count)}</span>}
      <Menu
        items={items}
        align="end"
        trigger={trigger => (
          <button {...trigger} type="button" className="icon-btn" aria-label={t('knowledge.actionsFor', { name })}>
            <Ellipsis size={16} aria-hidden />
          </button>
        )}
      />
    </div>
  )
}

function ArticleRow({ article, above, isChosen }: { article: ListedArticle; above: Audience; isChosen: boolean }) {
  const { id, title, state, unpublished, effective_audience: audience, publishing_asked } = article
  return (
    <Link
      to="/knowledge/$articleId"
      params={{ articleId: String(id) }}
      className={styles.row}
      aria-current={isChosen ? 'page' : undefined}
    >
      <bdi>{title}</bdi>
      {audience !== above && <AudienceMark audience={audience} />}
      {publishing_asked === 1 && <Badge tone="amber">{t('knowledge.asked')}</Badge>}
      {state !== 'published' && <Badge>{t(`knowledge.state.${state}`)}</Badge>}
      {state === 'published' && unpublished.length > 0 && <Badge tone="amber">{t('knowledge.changed')}</Badge>}
    </Link>
  )
}

/** Only where somebody is kept out. */
function AudienceMark({ audience }: { audience: Audience }) {
  if (audience === 'public') return null
  const Shown = audienceIcons[audience]
  const label = t(`knowledge.audience.${audience}`)
  return (
    <span className={styles.mark} data-tip={label}>
      <Shown size={14} aria-hidden />
      <span className="visually-hidden">{label}</span>
    </span>
  )
}
