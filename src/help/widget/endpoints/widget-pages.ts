import type { FastifyInstance } from 'fastify'
import type { Services } from '../../../core/services.ts'
import { settingsOf } from '../../../core/settings/desk-settings.ts'
import { sendAnswer } from '../../../kit/answers.ts'
import { callerOf } from '../../../kit/caller.ts'
import { answerSolved } from '../../reading/feedback.ts'
import { articlePage, findPage, toldPage } from '../find-pages.ts'
import { articleIn, frameRoute, inQuery, sentForm } from '../frame-routes.ts'
import { sendTicket } from '../send-ticket.ts'
import { widgetFiles } from '../widget-files.ts'
import { widgetWords } from '../widget-words.ts'
import { writePage } from '../write-page.ts'

const maxSearch = 255

/** The contact widget (K15): one script that sites embed, and the pages of its frame, which are plain routes. */
export function widgetPages(app: FastifyInstance, services: Services): void {
  const get = (url: string, make: Parameters<typeof frameRoute>[3]) =>
    frameRoute(app, services, { method: 'GET', url }, make)
  const post = (url: string, make: Parameters<typeof frameRoute>[3]) =>
    frameRoute(app, services, { method: 'POST', url }, make)

  for (const url of ['/widget', '/widget/:locale']) {
    get(url, (context, request) => findPage(context, inQuery(request, 'search').trim().slice(0, maxSearch)))
  }
  get('/widget/:locale/articles/:id', async (context, request) => articlePage(context, articleIn(request)))
  post('/widget/:locale/articles/:id', async (context, request) => {
    await sentForm(request)
    const given = { article_id: articleIn(request), locale: context.locale, isSolved: true }
    await answerSolved(services, { actor: undefined, caller: callerOf(request) }, given)
    return toldPage(context, widgetWords(context.locale).thanks)
  })
  get('/widget/:locale/write', (context, request) => {
    const subject = { value: inQuery(request, 'subject').slice(0, maxSearch), isText: true }
    return writePage(context, { typed: new Map([['subject', [subject]]]) })
  })
  post('/widget/:locale/write', async (context, request) =>
    sendTicket(context, await sentForm(request), callerOf(request))
  )

  for (const [url, file] of Object.entries(widgetFiles)) {
    app.route({
      method: ['GET', 'HEAD'],
      url,
      handler: async (request, reply) => {
        const { settings } = await settingsOf(services.db)
        return await sendAnswer(request, reply, file(settings), { status: 200, write: ({ message }) => message })
      }
    })
  }
}
