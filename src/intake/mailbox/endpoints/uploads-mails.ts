import { accountName } from '../../../core/actor.ts'
import { authenticate } from '../../../core/api-tokens/authenticate.ts'
import { restrictionOf } from '../../../core/endpoint.ts'
import type { Services } from '../../../core/services.ts'
import type { FileRoute } from '../../../kit/file-routes.ts'
import { actorOfLink } from '../../../tickets/attachments/download-links.ts'
import { OriginalNotFound, originalFor, originalPath } from '../original-mail.ts'
import { openRaw } from '../raw-mail.ts'

/** Serves the raw message of an e-mail, byte for byte as it came in. Browsers save it and never render it, since its content is not trusted. */
export const originalMailFile: FileRoute<Services> = {
  path: '/uploads/mails/:name',
  head: true,
  async find(services, { params, query, authorization, ip, isBy }) {
    const [, digits] = /^([1-9]\d{0,14})\.eml$/.exec(params.name ?? '') ?? []
    if (!digits) throw OriginalNotFound()
    const id = Number(digits)
    const actor =
      (await actorOfLink(services, originalPath(id), query)) ?? (await authenticate(services, authorization, ip))?.actor
    if (!actor || restrictionOf(actor)) throw OriginalNotFound()
    isBy(accountName(actor))
    const { file_path, size_bytes } = await originalFor(services.db, actor, id)
    return {
      type: 'message/rfc822',
      name: `e-mail-${id}.eml`,
      sizeBytes: size_bytes,
      async content() {
        const raw = await openRaw(services, file_path)
        if (!raw) throw OriginalNotFound()
        return raw
      }
    }
  }
}
