/** @typedef {{ id: string, event: string, data: string, retry: number | undefined }} ServerSentEvent */

/**
 * Reads `text/event-stream` as the HTML standard says, whatever the borders of the chunks cut in half. A block without data is told as
 * well where it has an id: it moves the cursor.
 *
 * @param {AsyncIterable<Uint8Array>} chunks
 * @returns {AsyncGenerator<ServerSentEvent, void, undefined>}
 */
export async function* serverSentEvents(chunks) {
  const block = emptyBlock()
  for await (const line of linesOf(chunks)) {
    if (line !== '') {
      read(line, block)
      continue
    }
    const { id, event, data, retry, hasId } = block
    if (data.length > 0 || hasId) yield { id, event: event || 'message', data: data.join('\n'), retry }
    Object.assign(block, emptyBlock(), { id })
  }
}

/** @typedef {{ id: string, event: string, data: string[], retry: number | undefined, hasId: boolean }} Block */

/** @returns {Block} */
function emptyBlock() {
  return { id: '', event: '', data: [], retry: undefined, hasId: false }
}

/**
 * @param {string} line
 * @param {Block} block
 */
function read(line, block) {
  const colon = line.indexOf(':')
  const field = colon < 0 ? line : line.slice(0, colon)
  const value = colon < 0 ? '' : line.slice(colon + 1).replace(/^ /, '')
  if (field === 'data') block.data.push(value)
  if (field === 'event') block.event = value
  if (field === 'retry' && /^\d+$/.test(value)) block.retry = Number(value)
  if (field === 'id' && !value.includes('\0')) Object.assign(block, { id: value, hasId: true })
}

/** @param {AsyncIterable<Uint8Array>} chunks */
async function* linesOf(chunks) {
  const decoder = new TextDecoder()
  let rest = ''
  for await (const chunk of chunks) {
    // A carriage return at the end may be the first half of a line break.
    const lines = (rest + decoder.decode(chunk, { stream: true })).split(/\r\n|\n|\r(?!$)/)
    rest = lines.pop() ?? ''
    yield* lines
  }
}
