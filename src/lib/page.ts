/** A part of a list. `limit` is what is served, which may be less than what was asked for. */
export interface Page {
  page: number
  limit: number
  offset: number
}

/** The page that was asked for, `fallback` long unless a limit was named, and never longer than `max` (decision 26). */
export function pageOf(
  { page = 1, limit }: { page?: number; limit?: number },
  { fallback, max }: { fallback: number; max: number }
): Page {
  const served = Math.min(limit ?? fallback, max)
  return { page, limit: served, offset: (page - 1) * served }
}
