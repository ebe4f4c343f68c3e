import type { DataOf } from '@deskline/client'
import type { UseQueryResult } from '@tanstack/react-query'
import { Globe, Lock, UserCheck } from 'lucide-react'
import { useApiQuery, whileEdited } from '../../app/api-queries.ts'
import { failureOf } from '../../app/failures.ts'
import { reloadQueries } from '../../app/reload-queries.ts'
import { language, t } from '../../lib/strings.ts'
import type { Icon } from '../../ui/icon.tsx'
import { adminFailureText } from '../admin-failure-text.ts'

export type KnowledgeBase = DataOf<'/api/admin/kb/categories/list'>
export type Category = KnowledgeBase['categories'][number]
export type ArticleDetail = DataOf<'/api/admin/kb/articles/detail'>
export type Article = ArticleDetail['article']
export type Effect = DataOf<'/api/admin/kb/articles/update'>['effect']
export type Audience = Category['audience']

export const audiences = ['public', 'clients', 'staff'] as const satisfies readonly Audience[]
export const audienceIcons: Record<Audience, Icon> = { public: Globe, clients: UserCheck, staff: Lock }

/** The categories and the languages of the help centre. */
export function useKnowledgeBase(): UseQueryResult<KnowledgeBase> {
  return useApiQuery('/api/admin/kb/categories/list', {}, whileEdited)
}

/** The lists after a change of an article or a category. */
export async function reloadKnowledge(): Promise<void> {
  await reloadQueries('/api/admin/kb/categories/list', '/api/admin/kb/articles/list', '/api/admin/kb/numbers')
}

/** The name in the language of the pages, else in another one. */
export function nameOf({ name }: Category): string {
  return name[language] ?? Object.values(name)[0] ?? ''
}

/** The categories as a tree, one after the other: each with those below it, unless it is folded. */
export function inOrder(
  categories: readonly Category[],
  folded: ReadonlySet<number> = new Set(),
  parent: number | null = null
): Category[] {
  return categories
    .filter(({ parent_id }) => parent_id === parent)
    .flatMap(category => [category, ...(folded.has(category.id) ? [] : inOrder(categories, folded, category.id))])
}

/** For a choice: deeper categories are indented. */
export function categoryOptions(categories: readonly Category[]): { value: string; label: string }[] {
  return inOrder(categories).map(category => ({
    value: String(category.id),
    label: `${'\u2003'.repeat(category.depth - 1)}${nameOf(category)}`
  }))
}

/** Who wrote a text, and by which API token: "Mira Özdemir, by Nightly export". */
export function authorOf({
  author_name: name,
  author_token: token
}: {
  author_name: string
  author_token: string | null
}): string {
  return token === null ? name : t('knowledge.byToken', { name, token })
}

/** Each language by its own name: "Deutsch". */
export function languageName(locale: string): string {
  return new Intl.DisplayNames([locale], { type: 'language' }).of(locale) ?? locale
}

/** Of a refused change. The service says what is wrong with a text. */
export function knowledgeFailureText(error: unknown): string {
  const { reason, errors = [] } = failureOf(error) ?? {}
  if (reason === 'category_in_use') return t('knowledge.categoryInUse')
  if (errors.some(field => field.endsWith('.slug'))) return t('knowledge.slugRefused')
  if (errors.includes('parent_id')) return t('knowledge.tooDeep')
  return adminFailureText(error)
}
