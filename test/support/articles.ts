import assert from 'node:assert/strict'
import type { Audience } from '../../src/core/tables/knowledge-base.ts'
import type { Desk } from './desk.ts'
import type { Person } from './people.ts'

let serial = 0

/** A category, by an admin; returns its id. */
export async function aCategory(desk: Desk, admin: Person, given: object = {}): Promise<number> {
  const body = { name: { en: `Category ${++serial}` }, audience: 'public', ...given }
  const made = await desk.post('/api/admin/kb/categories/create', admin, body)
  assert.equal(made.status, 201, JSON.stringify(made.body))
  return made.data.category.id
}

export interface ATestArticle {
  id: number
  version: number
  slug: string
}

/** A published article, by an admin: in a category of its own unless one is given. */
export async function anArticle(
  desk: Desk,
  admin: Person,
  given: {
    category_id?: number
    audience?: Audience | null
    texts?: Record<string, { title?: string; markdown?: string; slug?: string }>
    isDraft?: boolean
  } = {}
): Promise<ATestArticle> {
  const number = ++serial
  const {
    texts = { en: { title: `Article ${number}`, markdown: 'Words of it.', slug: `article-${number}` } },
    isDraft,
    ...place
  } = given
  const category_id = place.category_id ?? (await aCategory(desk, admin))
  const made = await desk.post('/api/admin/kb/articles/create', admin, { ...place, category_id, texts })
  assert.equal(made.status, 201, JSON.stringify(made.body))
  const { id, texts: written } = made.data.article
  const { slug } = Object.values(written as Record<string, { slug: string }>)[0]!
  if (isDraft) return { id, version: 1, slug }
  const published = await desk.post('/api/admin/kb/articles/publish', admin, { id })
  assert.equal(published.status, 200, JSON.stringify(published.body))
  return { id, version: published.data.article.version, slug }
}
