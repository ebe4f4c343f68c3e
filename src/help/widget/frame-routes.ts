import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Services } from '../../core/services.ts'
import { settingsOf } from '../../core/settings/desk-settings.ts'
import type { DeskSettings } from '../../core/settings/registry.ts'
import { readBody } from '../../kit/body/read-body.ts'
import type { RequestInput } from '../../kit/body/request-input.ts'
import { callerOf } from '../../kit/caller.ts'
import { Failure, Forbidden } from '../../kit/errors.ts'
import type { Html } from '../../kit/html.ts'
import { ArticleNotFound } from '../articles/articles.ts'
import { sightOf } from '../articles/visibility.ts'
import { localeFor } from '../pages/page-locale.ts'
import { toldPage } from './find-pages.ts'
import type { FrameContext } from './frame.ts'
import { widgetWords } from './widget-words.ts'

const maxFormBytes = 200_000

export type MadeFrame = Html | { status: number; page: Html }

/** Serves a page of the frame, always as to a stranger: no cookie is read. What is refused is told as a page, too. */
export function frameRoute(
  app: FastifyInstance,
  services: Services,
  { method, url }: { method: 'GET' | 'POST'; url: string },
  make: (context: FrameContext, request: FastifyRequest) => Promise<MadeFrame>
): void {
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
}

/** It may be shown by the origins that an admin allows, and by no other page. */
function frameHeaders({ widget_origins }: DeskSettings): Record<string, string> {
  const ancestors = widget_origins.length > 0 ? widget_origins.join(' ') : "'none'"
  return {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': `default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors ${ancestors}`,
    // For pages that load only what allows it (Cross-Origin-Embedder-Policy).
    'cross-origin-resource-policy': 'cross-origin',
    'cross-origin-embedder-policy': 'require-corp'
  }
}

function contextOf(services: Services, settings: DeskSettings, request: FastifyRequest): FrameContext {
  const { locale: asked } = request.params as { locale?: string }
  const isKnown = asked !== undefined && settings.help_languages.includes(asked)
  // A site may ask for a language that the help centre has not: then one that is near, or the desk's, is better than nothing.
  const locale = isKnown ? asked : localeFor(asked ?? request.headers['accept-language'], settings)
  const deptid = inQuery(request, 'deptid')
  return {
    services,
    settings,
    locale,
    sight: sightOf(undefined, settings, locale),
    deptid: isId(deptid) ? Number(deptid) : undefined,
    ip: callerOf(request).ip
  }
}

/** The fields of a form that a page of the frame has sent, and no page of another site. */
export async function sentForm(request: FastifyRequest): Promise<RequestInput['fields']> {
  const site = request.headers['sec-fetch-site']
  if (site !== undefined && site !== 'same-origin') throw Forbidden()
  const limits = { maxBytes: maxFormBytes, maxFiles: 0, maxFileBytes: 0, maxParts: 300 }
  return (await readBody(request.raw, limits, undefined)).fields
}

function refused(context: FrameContext, error: unknown): MadeFrame {
  if (!(error instanceof Failure) || error.status >= 500) throw error
  const words = widgetWords(context.locale)
  const told = error.status === 429 ? words.tooMany : error.kind === ArticleNotFound ? words.gone : words.faults
  return { status: error.status, page: toldPage(context, told) }
}

/** The article that the address names. Throws `ArticleNotFound`. */
export function articleIn(request: FastifyRequest): number {
  const { id } = request.params as { id: string }
  if (!isId(id)) throw ArticleNotFound()
  return Number(id)
}

function isId(text: string): boolean {
  return /^[1-9]\d{0,14}$/.test(text)
}

export function inQuery(request: FastifyRequest, name: string): string {
  const value = (request.query as Record<string, unknown>)[name]
  return typeof value === 'string' ? value.toWellFormed().replaceAll('\0', '') : ''
}
