import { type Db, prepared } from '../db.ts'

/** How e-mails show whose they are. */
export interface Brand {
  name: string | null
  phone: string | null
  privacyUrl: string | null
  accent: string | null
  /** By its digest. */
  logo: string | null
}

/** With every e-mail goes the logo itself, which no mail program has to load; a larger one stays away, and the name stands for it. */
const maxLogoBytes = 64 * 1024

/** What admins have set of it. Of the kinds of images there are only those that every mail program shows. */
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

/** The image with this digest, where it is still the logo. */
export async function logoWithDigest(db: Db, sha256: string): Promise<{ content: Buffer; type: string } | undefined> {
  const [logo] = await storedLogo(db, { sha256 })
  return logo
}

const storedLogo = prepared((db, p: { sha256: string }) =>
  db.selectFrom('desk_logo').where('sha256', '=', p.sha256).select(['content', 'type'])
)
