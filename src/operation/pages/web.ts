import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Config } from '../../core/config.ts'
import { NotFound } from '../../kit/errors.ts'
import { smallPage, smallPageHeaders } from '../../kit/small-page.ts'
import { takesHtml } from '../../kit/takes-html.ts'
import { cacheForever, cacheOneHour, cacheRevalidated, sendAsset } from './assets.ts'
import { builtPages } from './built-pages.ts'

/** The portal's paths, including those below. The browser decides what they show. */
const portalPaths = ['/tickets', '/new', '/open', '/sign-in', '/sign-up', '/verify', '/forgot', '/reset', '/account']

const notBuilt = smallPage(
  'The pages are not built',
  `<p>The API works. Its reference is at <a href="/docs">/docs</a>.</p>
<p>To have the portal and the console, run <code>npm ci</code> with its development dependencies, or <code>npm run build</code>.</p>`
)

/** Handles unknown paths: sends a page if the caller is a browser, and returns whether it did. */
export type SendPageNotFound = (request: FastifyRequest, reply: FastifyReply) => Promise<boolean>

/**
 * The portal at `/` and the console at `/desk`, as built into `folder`. Returns the handler of paths that no route has: other built files, and
 * the portal's not-found page for people.
 */
export function webPages(app: FastifyInstance, config: Config, folder: string): SendPageNotFound {
  const policy = pagePolicy(config)
  const built = builtPages(folder, { isFixed: config.production })

  async function sendPage(request: FastifyRequest, reply: FastifyReply, name: string, status = 200) {
    const page = await built.page(name)
    if (!page) return await reply.code(503).headers(smallPageHeaders).send(notBuilt)
    reply.code(status).header('content-security-policy', policy)
    return await sendAsset(request, reply, page, cacheRevalidated)
  }
  const routes = (paths: string[], name: string) => {
    for (const path of paths.flatMap(path => (path === '/' ? path : [path, `${path}/*`]))) {
      app.get(path, (request, reply) => {
        if (!takesHtml(request, 'text/*', '*/*')) throw NotFound()
        return sendPage(request, reply, name)
      })
    }
  }

  routes(['/', ...portalPaths], 'portal.html')
  routes(['/desk'], 'desk.html')
  // The default target of reset links, without RESET_URL.
  app.get('/reset-password', (request, reply) => {
    const mark = request.url.indexOf('?')
    return reply.redirect(`/reset${mark < 0 ? '' : request.url.slice(mark)}`, 302)
  })
  app.get('/assets/*', async (request, reply) => {
    const found = await built.file(`assets/${(request.params as { '*': string })['*']}`)
    if (!found) throw NotFound()
    return await sendAsset(request, reply, found, cacheForever)
  })

  return async (request, reply) => {
    const path = request.url.split('?', 1)[0]!
    if (!['GET', 'HEAD'].includes(request.method) || path.startsWith('/api/')) return false
    const file = await built.file(path.slice(1))
    if (file && !path.endsWith('.html')) await sendAsset(request, reply, file, cacheOneHour)
    else if (takesHtml(request)) await sendPage(request, reply, 'portal.html', 404)
    else return false
    return true
  }
}

/**
 * Everything is loaded from this server, except files that a signed link fetches from a store. Mail is shown in sandboxed frames without a URL
 * (`srcdoc`).
 */
function pagePolicy(config: Config): string {
  const store = storeOrigins(config).join(' ')
  const files = (own: string) => [own, store].filter(Boolean).join(' ')
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "font-src 'self'",
    `img-src ${files("'self' blob: data:")}`,
    `media-src ${files("'self' blob:")}`,
    `connect-src ${files("'self'")}`,
    "manifest-src 'self'",
    "worker-src 'self'",
    "frame-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'"
  ].join('; ')
}

function storeOrigins(config: Config): string[] {
  const { S3_BUCKET, S3_PRESIGNED_DOWNLOADS, S3_PUBLIC_ENDPOINT, S3_ENDPOINT, S3_PATH_STYLE, S3_REGION } = config
  if (!S3_BUCKET || !S3_PRESIGNED_DOWNLOADS) return []
  const { origin, protocol, host } = new URL(
    S3_PUBLIC_ENDPOINT || S3_ENDPOINT || `https://s3.${S3_REGION}.amazonaws.com`
  )
  return S3_PATH_STYLE ? [origin] : [origin, `${protocol}//${S3_BUCKET}.${host}`]
}
