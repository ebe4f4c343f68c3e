import type { DataOf } from '@deskline/client'
import { GripVertical } from 'lucide-react'
import { type KeyboardEvent, type PointerEvent, type ReactNode, useState } from 'react'
import { post, queryClient } from '../../app/api-client.ts'
import { queryKeyOf } from '../../app/api-queries.ts'
import { t } from '../../lib/strings.ts'
import { announce } from '../../ui/announce.ts'
import { toast } from '../../ui/toast.tsx'
import { AsyncConfirmDialog } from '../async-confirm-dialog.tsx'
import { EffectText } from './effect.tsx'
import styles from './knowledge.module.css'
import {
  type ArticleDetail,
  type Category,
  type Effect,
  inOrder,
  knowledgeFailureText,
  nameOf,
  reloadKnowledge
} from './knowledge-base.ts'
import { canLieIn, isSamePlace, type Place, placeAt, placeOf, placesFor } from './tree-places.ts'

export type ListedArticle = DataOf<'/api/admin/kb/articles/list'>['articles'][number]

/** What is moved, and where it would lie; undefined: where it cannot lie. */
export type Lifted = { category: Category; place: Place | undefined } | { article: ListedArticle; into: number }

interface Asked {
  effect: Effect
  write: () => Promise<void>
}

export interface TreeMoves {
  lifted: Lifted | undefined
  /** Asks before more or fewer people see something. */
  dialog: ReactNode
  /** What a handle does. */
  handleOf(lifted: Lifted): { onKeyDown(event: KeyboardEvent): void; onPointerDown(event: PointerEvent): void }
  /** Puts a category there at once, as its menu does. */
  put(category: Category, place: Place): void
}

/** Moves articles and categories: by their handle (Space, arrows, Space; Esc leaves them), or by dragging it. Nothing moves before the service has agreed. */
export function useTreeMoves(categories: Category[], folded: ReadonlySet<number>): TreeMoves {
  const [lifted, setLifted] = useState<Lifted>()
  const [asked, setAsked] = useState<Asked>()

  function tell(moved: Lifted) {
    announce(wordsFor(moved, categories))
  }

  function lift(moved: Lifted) {
    setLifted(moved)
    tell(moved)
  }

  function setDown(moved: Lifted) {
    setLifted(undefined)
    void setDownChecked(moved, setAsked, categories).catch(failed)
  }

  function press(event: KeyboardEvent, own: Lifted) {
    const isLifted = lifted && idOf(lifted) === idOf(own)
    if (!isLifted) {
      if (event.key !== ' ' && event.key !== 'Enter') return
      setLifted(own)
      announce(t('definition.isLifted', { name: nameOfLifted(own) }))
    } else if (event.key === ' ' || event.key === 'Enter' || event.key === 'Tab') {
      setDown(lifted)
      if (event.key === 'Tab') return
    } else if (event.key === 'Escape') {
      setLifted(undefined)
      tell(own)
    } else {
      const next = stepped(lifted, event.key, categories, folded)
      if (!next) return
      lift(next)
    }
    event.preventDefault()
    event.stopPropagation()
  }

  /** The window is listened to: the pointer leaves the handle. */
  function drag(event: PointerEvent, own: Lifted) {
    if (event.button !== 0) return
    let now = own
    const listening = new AbortController()
    const { signal } = listening
    setLifted(own)
    const follow = (at: { clientX: number; clientY: number }) => {
      now = draggedTo(own, at, categories) ?? now
      setLifted(now)
    }
    const end = ({ type }: Event) => {
      listening.abort()
      if (type === 'pointerup') setDown(now)
      else setLifted(undefined)
    }
    addEventListener('pointermove', follow, { signal })
    addEventListener('pointerup', end, { signal })
    addEventListener('pointercancel', end, { signal })
    addEventListener('keydown', event => event.key === 'Escape' && end(event), { signal })
  }

  const dialog = asked && (
    <AsyncConfirmDialog
      title={t('knowledge.move')}
      text={<EffectText effect={asked.effect} />}
      confirmLabel={t('knowledge.moveHere')}
      keepLabel={t('knowledge.keepPlace')}
      isHarmless
      failureText={knowledgeFailureText}
      onConfirm={async () => {
        await asked.write()
        setAsked(undefined)
      }}
      onClose={() => setAsked(undefined)}
    />
  )
  return {
    lifted,
    dialog,
    handleOf: own => ({ onKeyDown: event => press(event, own), onPointerDown: event => drag(event, own) }),
    put: (category, place) => setDown({ category, place })
  }
}

/** What a place is called: "Storage: before Wallbox". */
function wordsFor(moved: Lifted, categories: readonly Category[]): string {
  const name = nameOfLifted(moved)
  const named = (id: number) => nameOf(categories.find(each => each.id === id)!)
  if ('article' in moved) return t('knowledge.placeIn', { name, other: named(moved.into) })
  if (!moved.place) return t('knowledge.tooDeep')
  const { parent_id, before_id } = moved.place
  if (before_id !== null) return t('knowledge.placeBefore', { name, other: named(before_id) })
  return parent_id === null
    ? t('knowledge.placeLast', { name })
    : t('knowledge.placeLastIn', { name, other: named(parent_id) })
}

/** One step by a key; undefined for a key that is none. */
function stepped(moved: Lifted, key: string, categories: Category[], folded: ReadonlySet<number>): Lifted | undefined {
  if ('article' in moved) {
    const ids = inOrder(categories, folded).map(({ id }) => id)
    const into = ids[stepOf(key, ids.indexOf(moved.into), ids.length) ?? -1]
    return into === undefined ? undefined : { ...moved, into }
  }
  const places = placesFor(categories, folded, moved.category)
  const at = places.findIndex(each => moved.place && isSamePlace(each, moved.place))
  const place = places[stepOf(key, at, places.length) ?? -1]
  return place && { ...moved, place }
}

function stepOf(key: string, at: number, length: number): number | undefined {
  const to = { ArrowUp: at - 1, ArrowDown: at + 1, Home: 0, End: length - 1 }[key]
  return to === undefined ? undefined : Math.max(0, Math.min(to, length - 1))
}

/** Where something lies that is dragged there; undefined beside the tree. */
function draggedTo(
  own: Lifted,
  { clientX, clientY }: { clientX: number; clientY: number },
  categories: Category[]
): Lifted | undefined {
  const under = document.elementFromPoint(clientX, clientY)
  const id = Number(under?.closest<HTMLElement>('[data-category]')?.dataset.category)
  const target = categories.find(each => each.id === id)
  if (!target) return undefined
  if ('article' in own) return { ...own, into: target.id }
  if (target.id === own.category.id) return own
  const head = under?.closest('[data-head]')?.getBoundingClientRect()
  const share = head ? (clientY - head.top) / head.height : 0.5
  const part = share < 0.3 ? 'above' : share > 0.7 ? 'below' : 'within'
  const place = placeAt(categories, target, part, own.category.id)
  return { ...own, place: canLieIn(categories, own.category, place.parent_id) ? place : undefined }
}

/** Writes it, after asking if more or fewer people would see something (K2). */
async function setDownChecked(moved: Lifted, ask: (asked: Asked) => void, categories: Category[]): Promise<void> {
  if (!isMoved(moved, categories)) return
  const dryRun = 'article' in moved ? await moveArticle(moved, 1) : await moveCategory(moved, 1)
  const write = () => setDownNow(moved, categories)
  if (dryRun.effect.more_visible + dryRun.effect.less_visible > 0) ask({ effect: dryRun.effect, write })
  else await write()
}

function isMoved(moved: Lifted, categories: Category[]): boolean {
  if ('article' in moved) return moved.into !== moved.article.category_id
  if (moved.place) return !isSamePlace(moved.place, placeOf(categories, moved.category))
  toast({ text: t('knowledge.tooDeep'), tone: 'bad' })
  return false
}

async function setDownNow(moved: Lifted, categories: Category[]): Promise<void> {
  const words = wordsFor(moved, categories)
  const back = 'article' in moved ? await articleMoved(moved) : await categoryMoved(moved, categories)
  await reloadKnowledge()
  const undo = () => void back().then(reloadKnowledge).catch(failed)
  toast({ text: words, undo })
  // It is another row now, and the focus stays with it.
  requestAnimationFrame(() => {
    if (document.activeElement === document.body)
      document.querySelector<HTMLElement>(`[data-handle="${idOf(moved)}"]`)?.focus()
  })
}

/** Moves it; returns what takes that back. */
async function articleMoved(moved: { article: ListedArticle; into: number }): Promise<() => Promise<void>> {
  const { article } = moved
  const { version } = await taken(moveArticle(moved))
  return async () => void (await taken(moveArticle({ article: { ...article, version }, into: article.category_id })))
}

async function categoryMoved(
  moved: { category: Category; place: Place | undefined },
  categories: Category[]
): Promise<() => Promise<void>> {
  const former = placeOf(categories, moved.category)
  const { category } = await moveCategory(moved)
  return async () => void (await moveCategory({ category, place: former }))
}

async function moveArticle({ article: { id, version }, into }: { article: ListedArticle; into: number }, dry_run?: 1) {
  const body = { id, category_id: into, expected_version: version, ...(dry_run && { dry_run }) }
  return await post('/api/admin/kb/articles/update', body)
}

async function moveCategory(
  { category: { id, version }, place }: { category: Category; place: Place | undefined },
  dry_run?: 1
) {
  const body = { id, ...place, expected_version: version, ...(dry_run && { dry_run }) }
  return await post('/api/admin/kb/categories/update', body)
}

/** An editor that has the article open goes on with its new version. */
async function taken(moving: ReturnType<typeof moveArticle>) {
  const { article } = await moving
  const key = queryKeyOf('/api/admin/kb/articles/detail', { id: article.id })
  queryClient.setQueryData<ArticleDetail>(key, former => former && { ...former, article })
  return article
}

function failed(error: unknown): void {
  toast({ text: knowledgeFailureText(error), tone: 'bad' })
  void reloadKnowledge()
}

function idOf(moved: Lifted): string {
  return 'article' in moved ? `article ${moved.article.id}` : `category ${moved.category.id}`
}

function nameOfLifted(moved: Lifted): string {
  return 'article' in moved ? moved.article.title : nameOf(moved.category)
}

/** The handle of a row. Only a mouse shows it; by keys it is always reached. */
export function MoveHandle({ moves, own }: { moves: TreeMoves; own: Lifted }) {
  const isLifted = moves.lifted !== undefined && idOf(moves.lifted) === idOf(own)
  return (
    <button
      type="button"
      className={styles.handle}
      data-handle={idOf(own)}
      aria-label={t('definition.moveNamed', { name: nameOfLifted(own) })}
      aria-pressed={isLifted}
      {...moves.handleOf(own)}
    >
      <GripVertical size={14} aria-hidden />
    </button>
  )
}
