/**
 * The pages of a list, each when it is asked for. Lists with a cursor are followed by it: what changes meanwhile moves nothing
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
 * What asks for the page after this one. The feed of events has no last page: its cursor stays where it is when nothing is left for now,
 * and moves over what others alone may read.
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
