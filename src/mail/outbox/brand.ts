import { type Db, prepared } from '../../core/db.ts'

/** The branding of e-mails. */
export interface Brand {
  name: string | null
  phone: string | null
  privacyUrl: string | null
  accent: string | null
  /** The digest of the image. */
  logo: string | null
}

/** The logo is attached to every e-mail, so that mail programs need not load it. A larger one is left out, and the name stands for it. */
const maxLogoBytes = 64 * 1024

/** The branding that admins have set. Only image types that every mail program shows are used. */
export async function brandOf(db: Db): Promise<Brand> {
  const [row] = await storedBrand(db, { maxLogoBytes })
  const settings = (row?.settings ?? {}) as Record<string, string | null>
  const { name = null, phone = null, privacy_url: privacyUrl = null, accent = null } = settings
  return { name, phone, privacyUrl, accent, logo: row?.logo ?? null }
}

const storedBrand = prepared((db, p: { maxLogoBytes: number }) =>
  db
    .selectFrom('desk_settings')
    .where('name', 'in', ['name', 'phone', 'privacy_url', 'accent'])
    .select(({ fn, selectFrom }) => [
      fn<Record<string, unknown> | null>('jsonb_object_agg', ['name', 'value']).as('settings'),
      selectFrom('desk_logo')
        .where('type', 'in', ['image/png', 'image/jpeg'])
        .where(({ fn }) => fn<number>('octet_length', ['content']), '<=', p.maxLogoBytes)
        .select('sha256')
        .as('logo')
    ])
)

/** The image with this digest, if it is still the logo. */
export async function logoWithDigest(db: Db, sha256: string): Promise<{ content: Buffer; type: string } | undefined> {
  const [logo] = await storedLogo(db, { sha256 })
  return logo
}

const storedLogo = prepared((db, p: { sha256: string }) =>
  db.selectFrom('desk_logo').where('sha256', '=', p.sha256).select(['content', 'type'])
)
