/** A page of a list. `limit` is the effective one, which may be less than requested. */
export interface Page {
  page: number
  limit: number
  offset: number
}

/** The requested page, `fallback` long unless a limit is given, and never longer than `max` (decision 26). */
export function pageOf(
  { page = 1, limit }: { page?: number; limit?: number },
  { fallback, max }: { fallback: number; max: number }
): Page {
  const served = Math.min(limit ?? fallback, max)
  return { page, limit: served, offset: (page - 1) * served }
}
