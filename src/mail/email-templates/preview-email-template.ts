import type { StaffActor } from '../../core/actor.ts'
import { act } from '../../core/acts/act.ts'
import type { Db } from '../../core/db.ts'
import { countAll } from '../../core/rate-limits/rate-limit.ts'
import type { Services } from '../../core/services.ts'
import { exampleEmail } from '../../core/wording/examples.ts'
import { renderEmail } from '../../core/wording/render-email.ts'
import type { Wording } from '../../core/wording/wording.ts'
import type { Caller } from '../../kit/caller.ts'
import { addToOutbox } from '../outbox/add-to-outbox.ts'
import { brandedEmail } from '../outbox/branded-email.ts'
import { localizedDesk } from '../outbox/localized-email.ts'
import { type EmailPreview, shownInPage } from '../outbox/preview-email.ts'
import { currentWording, type TemplateRef } from './email-templates.ts'
import { validatedWording } from './validated-wording.ts'

/** A wording to preview, stored or not. */
interface Draft extends TemplateRef, Partial<Wording> {
  /** The conditions that are true; by default the usual ones. */
  conditions?: readonly string[]
}

const testsAnHour = 30
const hourSeconds = 3600

/** A preview of an e-mail with example values. Throws `WordingRefused`. */
export async function previewEmailTemplate({ db, config }: Services, tried: Draft): Promise<EmailPreview> {
  return await shownInPage(db, await exampleOf(db, tried, config.BASE_URL))
}

/** Sends a test e-mail to the calling admin, marked as a test. Throws `WordingRefused`, 429 after too many. */
export async function testEmailTemplate(
  services: Services,
  actor: StaffActor,
  tried: Draft,
  caller: Caller
): Promise<string> {
  const { db, config } = services
  const { name, language } = tried
  const { subject, ...content } = await exampleOf(db, tried, config.BASE_URL)
  const key = `email-tests:staff:${actor.id}`
  await countAll(services, [{ key, kind: 'email-tests', most: testsAnHour, seconds: hourSeconds }])
  return await act(services, { actor, caller }, async act => {
    await addToOutbox(services, act.db, {
      kind: 'staff-email-test',
      channel: 'mail',
      recipient: actor.email,
      requestId: caller.requestId,
      content: { ...content, subject: `[Test] ${subject}` }
    })
    act.happened({
      kind: 'email_template.tested',
      subject: { type: 'setting', id: null },
      after: { name, language }
    })
    return actor.email
  })
}

async function exampleOf(db: Db, { name, language, conditions, ...given }: Draft, url: string) {
  const { subject, text } = await currentWording(db, { name, language })
  const wording = validatedWording(name, { subject: given.subject ?? subject, text: given.text ?? text })
  const desk = await localizedDesk(db, language, url)
  const filled = renderEmail(exampleEmail(name, language, { url, conditions }), language, desk, wording)
  return await brandedEmail(db, filled, language)
}
