/** @typedef {import('./index.js').Progress} Progress */

/** @typedef {{ method: 'POST', headers: Headers, body: FormData | string | undefined, signal: AbortSignal }} Sent */
/** @typedef {(fetch: typeof globalThis.fetch, url: string, init: Sent) => Promise<Response>} Transport */

/**
 * Answers when the whole answer is there: a connection that breaks within it has failed.
 *
 * @type {Transport}
 */
export async function sendWithFetch(fetch, url, init) {
  const response = await fetch(url, init)
  const { status, statusText, headers } = response
  const body = await response.arrayBuffer()
  return new Response(body.byteLength > 0 ? body : null, { status, statusText, headers })
}

/**
 * Tells how much of a form has gone. In browsers this is what XMLHttpRequest says; in Node.js, what the network layer has
 * taken. Where there is neither (a worker), the end alone is told.
 *
 * @param {(progress: Progress) => void} onProgress
 * @returns {Transport}
 */
export function sendWithProgress(onProgress) {
  return async (fetch, url, init) => {
    const form = /** @type {FormData} */ (init.body)
    // A custom `fetch` must get all requests.
    const isPlatforms = fetch === globalThis.fetch
    if (isPlatforms && typeof XMLHttpRequest !== 'undefined') return await sendByXhr(url, init, form, onProgress)
    const total = await bytesOf(form)
    if (isNode()) {
      const counted = countedInit(init, form, loaded => onProgress({ loaded, total }))
      return await sendWithFetch(fetch, url, counted)
    }
    const response = await sendWithFetch(fetch, url, init)
    onProgress({ loaded: total, total })
    return response
  }
}

/**
 * @param {Sent} init
 * @param {FormData} form
 * @param {(loaded: number) => void} onLoaded
 * @returns {any} since `duplex`, which a body that is read as it goes needs, is missing in the types of browsers
 */
function countedInit({ headers, ...init }, form, onLoaded) {
  const encoded = new Response(form)
  headers.set('Content-Type', encoded.headers.get('Content-Type') ?? '')
  let loaded = 0
  const counter = new TransformStream({
    transform(chunk, controller) {
      loaded += chunk.byteLength
      controller.enqueue(chunk)
      onLoaded(loaded)
    }
  })
  return { ...init, headers, body: encoded.body?.pipeThrough(counter), duplex: 'half' }
}

/**
 * @param {object} fields
 * @param {import('./index.js').Files} files
 */
export function formOf(fields, files) {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) appendTo(form, name, value)
  for (const [name, file] of partsOf(files)) form.append(name, file)
  return form
}

/**
 * The members of an object as `name[key]`, several values of one as `name[key][]`.
 *
 * @param {FormData} form
 * @param {string} name
 * @param {unknown} value
 */
function appendTo(form, name, value) {
  if (value === undefined || value === null) return
  if (Array.isArray(value)) for (const one of value) appendTo(form, name, one)
  else if (typeof value !== 'object') form.append(name, String(value))
  else
    for (const [key, of] of Object.entries(value)) appendTo(form, `${name}[${key}]${Array.isArray(of) ? '[]' : ''}`, of)
}

/**
 * @param {import('./index.js').Files} files
 * @returns {Iterable<[string, Blob]>}
 */
function* partsOf(files) {
  if (files instanceof Blob) yield ['attachments', files]
  else if (Symbol.iterator in files) for (const file of files) yield ['attachments', file]
  else for (const [name, some] of Object.entries(files)) for (const file of [some].flat()) yield [name, file]
}

/**
 * The bytes of a form on its way: those of its files, and what it weighs without them.
 *
 * @param {FormData} form
 */
async function bytesOf(form) {
  const empty = new FormData()
  let bytes = 0
  for (const [name, value] of form) {
    if (typeof value === 'string') empty.append(name, value)
    else empty.append(name, new File([], value.name, { type: value.type }))
    bytes += typeof value === 'string' ? 0 : value.size
  }
  return bytes + (await new Response(empty).arrayBuffer()).byteLength
}

function isNode() {
  return Boolean(/** @type {any} */ (globalThis).process?.versions?.node)
}

/**
 * @param {string} url
 * @param {Sent} init
 * @param {FormData} form
 * @param {(progress: Progress) => void} onProgress
 * @returns {Promise<Response>}
 */
async function sendByXhr(url, { headers, signal }, form, onProgress) {
  const xhr = new XMLHttpRequest()
  const abort = () => xhr.abort()
  signal.throwIfAborted()
  signal.addEventListener('abort', abort, { once: true })
  try {
    return await new Promise((resolve, reject) => {
      xhr.open('POST', url)
      xhr.responseType = 'arraybuffer'
      for (const [name, value] of headers) xhr.setRequestHeader(name, value)
      xhr.upload.onprogress = ({ loaded, total }) => onProgress({ loaded, total })
      xhr.onload = () => resolve(new Response(xhr.response.byteLength > 0 ? xhr.response : null, answerOf(xhr)))
      xhr.onerror = () => reject(new TypeError('The network failed'))
      xhr.onabort = () => reject(signal.reason)
      xhr.send(form)
    })
  } finally {
    signal.removeEventListener('abort', abort)
  }
}

/** @param {XMLHttpRequest} xhr */
function answerOf(xhr) {
  const lines = xhr.getAllResponseHeaders().trim().split(/\r\n/)
  const headers = lines.filter(Boolean).map(line => {
    const [name = '', ...value] = line.split(': ')
    return /** @type {[string, string]} */ ([name, value.join(': ')])
  })
  return { status: xhr.status, statusText: xhr.statusText, headers }
}
