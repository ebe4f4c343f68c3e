/**
 * The pages of a list, each requested when it is needed. Lists with a cursor are followed by it, so that changes meanwhile move nothing
 * from one page to the next.
 *
 * @param {(path: string, init: any) => Promise<{ data: any }>} post
 * @param {string} path
 * @param {Record<string, any>} [init]
 * @returns {AsyncGenerator<any, void, undefined>}
 */
export async function* pagesOf(post, path, init = {}) {
  let body = { ...init.body }
  for (let isFirst = true; ; isFirst = false) {
    const { data } = await post(path, { ...init, body })
    const isEmpty = !Object.values(data).some(value => Array.isArray(value) && value.length > 0)
    if (isFirst || !isEmpty) yield data
    const next = nextOf(data, body)
    if (!next) return
    const { page, ...rest } = body
    body = { ...rest, ...next }
  }
}

/**
 * The parameters of the next page. The event feed has no last page: its cursor stays the same while there are no new events, and also
 * moves over events that this caller may not read.
 *
 * @param {any} data
 * @param {Record<string, any>} body that asked for this page
 */
function nextOf({ next_cursor, events, count, total, page, limit }, { after }) {
  if (events) return next_cursor === String(after) ? undefined : { after: next_cursor }
  if (next_cursor !== undefined && next_cursor !== null) return { cursor: next_cursor }
  if (next_cursor === null || typeof page !== 'number') return undefined
  return page * limit < total && count > 0 ? { page: page + 1, limit } : undefined
}
