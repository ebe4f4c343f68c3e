import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Services } from '../../../core/services.ts'
import { settingsOf } from '../../../core/settings/desk-settings.ts'
import { type Language, languageAmong } from '../../../core/wording/languages.ts'
import { callerOf } from '../../../kit/caller.ts'
import { tokenOf } from '../../../kit/link-page.ts'
import { smallPageHeaders } from '../../../kit/small-page.ts'
import { endSignIn, isEndSignInLink } from '../end-sign-in.ts'
import { endSignInPages } from '../end-sign-in-page.ts'
import { endSignInPath } from '../known-devices.ts'

/**
 * The page behind the link in an e-mail about a new device. Opening it ends nothing: only its button does, by a POST. It is a plain route, since it
 * returns HTML.
 */
export function endSignInPage(app: FastifyInstance, services: Services): void {
  app.get(endSignInPath, { exposeHeadRoute: false }, async (request, reply) => {
    const language = await languageOf(services, request)
    const isValid = await isEndSignInLink(services, tokenOf(request))
    reply.headers(smallPageHeaders).code(isValid ? 200 : 400)
    return endSignInPages[isValid ? 'asking' : 'invalid'](language)
  })
  app.post(endSignInPath, async (request, reply) => {
    const language = await languageOf(services, request)
    const population = await endSignIn(services, tokenOf(request), callerOf(request))
    reply.headers(smallPageHeaders).code(population ? 200 : 400)
    return population ? endSignInPages.ended(language, population) : endSignInPages.invalid(language)
  })
}

/** That of the browser, else that of the desk. */
async function languageOf({ db }: Services, { headers }: FastifyRequest): Promise<Language> {
  return languageAmong(headers['accept-language']) ?? (await settingsOf(db)).settings.language
}
