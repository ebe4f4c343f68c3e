// What the client asks of openapi-fetch on the pages: to post a body as JSON or as a form, and to read the answer. Its middleware, its other
// methods and what it makes of parameters in addresses would weigh more than the whole session does.

interface Init extends Omit<RequestInit, 'body'> {
  body?: unknown
  params?: unknown
  parseAs: 'text' | 'stream'
  fetch(request: Request): Promise<Response>
}

/** As openapi-fetch makes it: `data` of what went well, `error` of what did not. */
export default function createClient({ baseUrl }: { baseUrl: string }) {
  return {
    async POST(path: string, { body, params, parseAs, fetch, ...init }: Init) {
      if (params) throw new Error(`${path}: pages send no parameters in addresses`)
      const headers = new Headers(init.headers)
      const isForm = body instanceof FormData
      if (body !== undefined && !isForm && !headers.has('Content-Type')) headers.set('Content-Type', 'application/json')
      const sent = isForm ? body : body === undefined ? null : JSON.stringify(body)
      const request = new Request(baseUrl + path, { ...init, method: 'POST', headers, body: sent })
      const response = await fetch(request)
      if (response.ok) return { data: parseAs === 'stream' ? response.body : await response.text(), response }
      const text = await response.text()
      try {
        return { error: JSON.parse(text), response }
      } catch {
        return { error: text, response }
      }
    }
  }
}
