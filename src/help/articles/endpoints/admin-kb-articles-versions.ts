import { Type } from 'typebox'
import { endpoint } from '../../../core/endpoint.ts'
import { permissionSlugs } from '../../../core/permissions.ts'
import { paged, pagedFields, pageFields } from '../../../kit/paged.ts'
import { Id, Locale } from '../../../kit/schemas.ts'
import { pageOf } from '../../../lib/page.ts'
import { VersionView, versionView } from '../article-schemas.ts'
import { ArticleNotFound, TextNotFound } from '../articles.ts'
import { versionsOf } from '../versions.ts'

const limits = { fallback: 20, max: 50 }

/** The versions of a text, the newest first. The last hundred are kept, and the published one. */
export const listVersions = endpoint({
  path: '/api/admin/kb/articles/versions',
  aliases: ['/api/admin/kb/articles/:id/versions'],
  summary: 'List the versions of an article in a language',
  access: { anyOf: permissionSlugs },
  onlyReads: true,
  body: Type.Object({ id: Id(12), locale: Locale, ...pageFields(limits) }),
  data: Type.Object({ ...pagedFields, versions: Type.Array(VersionView) }),
  errors: [ArticleNotFound, TextNotFound],
  async handle({ body, services }) {
    const page = pageOf(body, limits)
    const { versions, total } = await versionsOf(services.db, body, page)
    return { message: 'Versions', data: { ...paged(versions, total, page), versions: versions.map(versionView) } }
  }
})
