import type { Db } from '../../core/db.ts'
import type { Services } from '../../core/services.ts'
import { logoUrlOf } from '../../core/settings/logo.ts'
import type { Email } from '../../core/wording/email-templates.ts'
import { brandedEmail } from './branded-email.ts'
import { type EmailContent, withLeftOutFiles } from './compose-email.ts'
import { logoContentId } from './email-page.ts'
import { localizedEmail } from './localized-email.ts'

/** An e-mail as a page shows it. */
export type EmailPreview = Pick<EmailContent, 'subject' | 'text' | 'html'>

/** The e-mail in the language of the desk, as a page shows it. */
export async function previewOfEmail(
  { db, config }: Pick<Services, 'db' | 'config'>,
  email: Email
): Promise<EmailPreview> {
  const { filled, language } = await localizedEmail(db, undefined, email, config.BASE_URL)
  return await shownInPage(db, await brandedEmail(db, filled, language))
}

/** An e-mail has the logo attached; a page links to it. */
export async function shownInPage(db: Db, content: EmailContent & { logo?: string }): Promise<EmailPreview> {
  const { subject, text, html } = withLeftOutFiles(content, [])
  const url = content.logo && (await logoUrlOf(db))
  return { subject, text, html: content.logo && url ? html.replace(`cid:${logoContentId(content.logo)}`, url) : html }
}
