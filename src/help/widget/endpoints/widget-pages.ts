import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Services } from '../../../core/services.ts'
import { settingsOf } from '../../../core/settings/desk-settings.ts'
import { sendAnswer } from '../../../kit/answers.ts'
import { readBody } from '../../../kit/body/read-body.ts'
import type { RequestInput } from '../../../kit/body/request-input.ts'
import { callerOf } from '../../../kit/caller.ts'
import { Failure, Forbidden } from '../../../kit/errors.ts'
import type { Html } from '../../../kit/html.ts'
import { ArticleNotFound } from '../../articles/articles.ts'
import { sightOf } from '../../articles/visibility.ts'
import { localeFor } from '../../pages/page-locale.ts'
import { answerSolved } from '../../reading/feedback.ts'
import { articlePage, findPage, toldPage } from '../find-pages.ts'
import type { FrameContext } from '../frame.ts'
import { frameHeaders } from '../frame-headers.ts'
import { sendTicket } from '../send-ticket.ts'
import { widgetScript } from '../widget-script.ts'
import { widgetWords } from '../widget-words.ts'
import { writePage } from '../write-page.ts'

const maxFormBytes = 200_000
const maxSearch = 255

type Made = Html | { status: number; page: Html }

/**
 * The contact widget (K15): one script that sites embed, and the pages of its frame. They are for strangers alone and read no cookie, so that a page that
 * shows them gets nothing done in anybody's name.
 */
export function widgetPages(app: FastifyInstance, services: Services): void {
  const route = (
    method: 'GET' | 'POST',
    url: string,
    make: (context: FrameContext, request: FastifyRequest) => Promise<Made>
  ) =>
    app.route({
      method: method === 'GET' ? ['GET', 'HEAD'] : method,
      url,
      handler: async (request, reply) => {
        const { settings } = await settingsOf(services.db)
        reply.headers(frameHeaders(settings)).removeHeader('x-frame-options')
        const context = contextOf(services, settings, request)
        const made = await make(context, request).catch((error: unknown) => refused(context, error))
        if ('page' in made) return await reply.code(made.status).send(made.page.html)
        return await reply.send(made.html)
      }
    })

  for (const url of ['/widget', '/widget/:locale']) {
    route('GET', url, (context, request) => findPage(context, inQuery(request, 'search').trim().slice(0, maxSearch)))
  }
  route('GET', '/widget/:locale/articles/:id', (context, request) => articlePage(context, articleIn(request)))
  route('POST', '/widget/:locale/articles/:id', async (context, request) => {
    await formOf(request)
    const given = { article_id: articleIn(request), locale: context.locale }
    await answerSolved(services, { actor: undefined, caller: callerOf(request) }, given)
    return toldPage(context, widgetWords(context.locale).thanks)
  })
  route('GET', '/widget/:locale/write', (context, request) => {
    const subject = inQuery(request, 'subject').slice(0, maxSearch)
    return writePage(context, { typed: new Map([['subject', [{ value: subject, isText: true }]]]) })
  })
  route('POST', '/widget/:locale/write', async (context, request) =>
    sendTicket(context, await formOf(request), callerOf(request))
  )

  const file = (url: string, type: string, made: () => Promise<string> | string, headers = {}) =>
    app.route({
      method: ['GET', 'HEAD'],
      url,
      handler: async (request, reply) => {
        const content = Buffer.from(await made())
        const answer = { type, content, etag: tagOf(content), cacheControl: 'public, max-age=600', headers }
        return await sendAnswer(request, reply, answer, { status: 200, write: ({ message }) => message })
      }
    })
  const script = 'text/javascript; charset=utf-8'
  // Pages of other origins load it.
  const forAll = { 'cross-origin-resource-policy': 'cross-origin' }
  file('/widget.js', script, async () => widgetScript((await settingsOf(services.db)).settings), forAll)
  file('/widget/frame.js', script, () => fileNamed('frame.js'))
  file('/widget/frame.css', 'text/css; charset=utf-8', () => fileNamed('frame.css'))
}

function contextOf(services: Services, settings: FrameContext['settings'], request: FastifyRequest): FrameContext {
  const { locale: asked } = request.params as { locale?: string }
  const isKnown = asked !== undefined && settings.help_languages.includes(asked)
  // A site may ask for a language that the help centre has not: then the reader's, or the desk's, is better than nothing.
  const locale = isKnown ? asked : localeFor(asked ?? request.headers['accept-language'], settings)
  const deptid = /^[1-9]\d{0,14}$/.test(inQuery(request, 'deptid')) ? Number(inQuery(request, 'deptid')) : undefined
  const sight = sightOf(undefined, settings, locale)
  return { services, settings, locale, sight, deptid, ip: callerOf(request).ip }
}

/** The fields of a form that a page of the frame has sent, and no page of another site. */
async function formOf(request: FastifyRequest): Promise<RequestInput['fields']> {
  const site = request.headers['sec-fetch-site']
  if (site !== undefined && site !== 'same-origin') throw Forbidden()
  const limits = { maxBytes: maxFormBytes, maxFiles: 0, maxFileBytes: 0, maxParts: 300 }
  return (await readBody(request.raw, limits, undefined)).fields
}

function refused(context: FrameContext, error: unknown): Made {
  if (!(error instanceof Failure) || error.status >= 500) throw error
  const words = widgetWords(context.locale)
  const told = error.status === 429 ? words.tooMany : error.kind === ArticleNotFound ? words.gone : words.faults
  return { status: error.status, page: toldPage(context, told) }
}

function articleIn(request: FastifyRequest): number {
  const { id } = request.params as { id: string }
  if (!/^[1-9]\d{0,14}$/.test(id)) throw ArticleNotFound()
  return Number(id)
}

function inQuery(request: FastifyRequest, name: string): string {
  const value = (request.query as Record<string, unknown>)[name]
  return typeof value === 'string' ? value.toWellFormed().replaceAll('\0', '') : ''
}

function tagOf(content: Buffer): string {
  return `"${createHash('sha256').update(content).digest('base64url').slice(0, 22)}"`
}

function fileNamed(name: string): string {
  return readFileSync(join(import.meta.dirname, '..', name), 'utf8')
}
