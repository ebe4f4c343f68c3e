import { fileHeaders } from '../../../kit/file-headers.ts'
import type { FileRoute } from '../../../kit/file-routes.ts'
import type { Services } from '../../services.ts'
import { logoNamed } from '../logo.ts'

/** The logo, without authentication. */
export const logoFile: FileRoute<Services> = {
  path: '/branding/logo/:name',
  head: true,
  async find({ db }, { params }) {
    const { content, type, sha256 } = await logoNamed(db, params.name!)
    return {
      type,
      content,
      etag: `"${sha256}"`,
      // The URL contains the digest, so its content never changes.
      cacheControl: 'public, max-age=31536000, immutable',
      // Pages of other origins may embed it: it is public.
      headers: { ...fileHeaders, 'cross-origin-resource-policy': 'cross-origin' }
    }
  }
}
