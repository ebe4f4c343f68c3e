import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Services } from '../../core/services.ts'
import { settingsOf } from '../../core/settings/desk-settings.ts'
import { sendAnswer } from '../../kit/answers.ts'
import { callerOf } from '../../kit/caller.ts'
import { NotFound } from '../../kit/errors.ts'
import { pictureFor } from '../articles/pictures.ts'
import { sightOf } from '../articles/visibility.ts'
import { readerOfPages } from './reader-of-pages.ts'

/** A picture of an article, for readers of a page that shows it: for others it does not exist (K6). */
export async function sendPicture(
  services: Services,
  request: FastifyRequest,
  reply: FastifyReply
): Promise<FastifyReply> {
  const { name } = request.params as { name: string }
  const reader = await readerOfPages(services, callerOf(request))
  const { settings } = await settingsOf(services.db)
  // Nothing has a name that the database cannot hold.
  const picture = name.includes('\0')
    ? undefined
    : await pictureFor(services.db, sightOf(reader?.actor, settings), name)
  if (!picture) throw NotFound()
  const { type, content, sha256, audience } = picture
  const isPublic = audience === 'public'
  const cacheControl = isPublic ? 'public, no-cache' : 'private, no-cache'
  if (!isPublic) reply.header('vary', 'Cookie')
  const file = { type, content, etag: `"${sha256}"`, cacheControl }
  return await sendAnswer(request, reply, file, { status: 200, write: ({ message }) => message })
}
