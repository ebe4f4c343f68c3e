import { accountName } from '../../../core/actor.ts'
import { authenticate } from '../../../core/api-tokens/authenticate.ts'
import { restrictionOf } from '../../../core/endpoint.ts'
import type { Services } from '../../../core/services.ts'
import type { FileRequest, FileRoute } from '../../../kit/file-routes.ts'
import { followerOfLink } from '../../followers/file-links.ts'
import { type Attachment, attachmentForFollower, contentOf, FileNotFound, presignedLink } from '../attachment-for.ts'
import { actorOfLink } from '../download-links.ts'
import { fileFor } from '../note-files.ts'
import { checkIsClean } from '../scan-attachment.ts'

/** The files behind `file_path` (decision 29). */
export const attachmentFile: FileRoute<Services> = {
  path: '/uploads/tickets/:folder/:name',
  head: true,
  async find(services, asked) {
    const attachment = await permitted(services, asked)
    checkIsClean(attachment)
    return {
      type: attachment.file_type,
      name: attachment.file_name,
      etag: `"${attachment.sha256}"`,
      sizeBytes: attachment.file_size,
      presignedUrl: () => presignedLink(services, attachment),
      content: part => contentOf(services, attachment, part)
    }
  }
}

async function permitted(
  services: Services,
  { params, query, authorization, ip, isBy }: FileRequest
): Promise<Attachment> {
  const path = `/uploads/tickets/${params.folder}/${params.name}`
  const follower = followerOfLink(services, path, query)
  if (follower !== undefined) {
    isBy(`follower ${follower}`)
    const file = await attachmentForFollower(services.db, follower, path)
    if (!file) throw FileNotFound()
    return file
  }
  const actor = (await actorOfLink(services, path, query)) ?? (await authenticate(services, authorization, ip))?.actor
  if (!actor || restrictionOf(actor)) throw FileNotFound()
  isBy(accountName(actor))
  return await fileFor(services.db, actor, path)
}
