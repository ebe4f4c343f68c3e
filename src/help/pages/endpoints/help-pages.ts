import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Services } from '../../../core/services.ts'
import { settingsOf } from '../../../core/settings/desk-settings.ts'
import { sendAnswer } from '../../../kit/answers.ts'
import { callerOf } from '../../../kit/caller.ts'
import { articlePage } from '../article-page.ts'
import { categoryPage } from '../category-page.ts'
import { answerByForm } from '../feedback-form.ts'
import { helpStateOf, tagOf } from '../help-state.ts'
import { homePage, searchPage } from '../home-page.ts'
import type { HelpPage, MovedPage, PageContext } from '../page-context.ts'
import { sendPicture } from '../picture-route.ts'
import { servePage } from '../serve-page.ts'
import { sitemap } from '../sitemap.ts'
import { helpStyle, searchScript } from '../style.ts'

/** The help centre: plain routes, since they answer with pages. None of them needs a script; the search has one that finds while one types. */
export function helpPages(app: FastifyInstance, services: Services): void {
  const get = (url: string, handler: (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>) =>
    app.route({ method: ['GET', 'HEAD'], url, handler })
  const show = (url: string, isShared: boolean, make: (context: PageContext) => Promise<HelpPage | MovedPage>) =>
    get(url, (request, reply) => servePage(services, request, reply, { isShared }, make))

  for (const url of ['/help', '/help/:locale']) {
    get(url, (request, reply) =>
      servePage(services, request, reply, { finds: true }, context => {
        const typed = context.query.search?.trim().slice(0, 255)
        return typed ? searchPage(context, typed, callerOf(request).ip) : homePage(context)
      })
    )
  }
  show('/help/:locale/:category', false, categoryPage)
  show('/help/:locale/:category/:slug', true, articlePage)

  const sendFile = async (request: FastifyRequest, reply: FastifyReply, type: string, made: () => Promise<string>) => {
    const etag = tagOf(await helpStateOf(services.db), 'public', request.routeOptions.url!)
    const file = { type, etag, cacheControl: 'public, no-cache', content: Buffer.from(await made()) }
    return await sendAnswer(request, reply, file, { status: 200, write: ({ message }) => message })
  }
  get('/help/style.css', (request, reply) =>
    sendFile(request, reply, 'text/css; charset=utf-8', async () =>
      helpStyle((await settingsOf(services.db)).settings.accent)
    )
  )
  get('/help/search.js', (request, reply) =>
    sendFile(request, reply, 'text/javascript; charset=utf-8', async () => searchScript)
  )
  get('/help/sitemap.xml', (request, reply) =>
    sendFile(request, reply, 'application/xml; charset=utf-8', async () => {
      const base = services.config.BASE_URL.replace(/\/+$/, '')
      return (await sitemap(services.db, (await settingsOf(services.db)).settings, base)).html
    })
  )
  get('/help/files/:name', (request, reply) => sendPicture(services, request, reply))
  app.post('/help/feedback', (request, reply) => answerByForm(services, request, reply))
}
