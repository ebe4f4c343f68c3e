import type { Db } from '../../core/db.ts'
import type { FilledEmail } from '../../core/wording/fill-wording.ts'
import type { Language } from '../../core/wording/languages.ts'
import { brandOf } from './brand.ts'
import { composeEmail, type EmailContent } from './compose-email.ts'
import { emailPage, logoContentId } from './email-page.ts'

/** The e-mail as text and as a whole HTML page in the current branding; `logo` is the digest of the image to attach. */
export async function brandedEmail(
  db: Db,
  filled: FilledEmail,
  language: Language
): Promise<EmailContent & { logo?: string }> {
  const content = composeEmail(filled)
  const brand = await brandOf(db)
  const logo = brand.logo ?? undefined
  const html = emailPage({ ...content, language }, { brand, logo: logo && logoContentId(logo) })
  return { ...content, html, ...(logo ? { logo } : {}) }
}
