import { Type } from 'typebox'
import type { Page } from '../lib/page.ts'
import { PageLimit, PageNumber } from './schemas.ts'

/** The request fields of a paged list. */
export function pageFields(limits: { fallback: number; max: number }) {
  const description = 'Which page, from 1, of `limit` rows each.'
  return { page: Type.Optional({ ...PageNumber(1), description }), limit: Type.Optional(PageLimit(limits)) }
}

const Count = Type.Integer({ minimum: 0, examples: [1] })

/** The response fields of a paged list before its rows. */
export const pagedFields = { count: Count, total: Count, page: PageNumber(1), limit: PageNumber(20) }

export function paged(rows: readonly unknown[], total: number, { page, limit }: Page) {
  return { count: rows.length, total, page, limit }
}
