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
    const next = isEmpty ? undefined : nextOf(data)
    if (!next) return
    const { page, ...rest } = body
    body = { ...rest, ...next }
  }
}

/**
 * What asks for the page after this one. The feed of events has no last page, only one without events so far.
 *
 * @param {any} data
 */
function nextOf({ next_cursor, events, count, total, page, limit }) {
  if (next_cursor !== undefined && next_cursor !== null)
    return events ? { after: next_cursor } : { cursor: next_cursor }
  if (next_cursor === null || typeof page !== 'number') return undefined
  return page * limit < total && count > 0 ? { page: page + 1, limit } : undefined
}
