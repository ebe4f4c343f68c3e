import { sql } from 'kysely'
import type { StaffActor } from '../../core/actor.ts'
import { type Act, act } from '../../core/acts/act.ts'
import { type Db, prepared } from '../../core/db.ts'
import type { Services } from '../../core/services.ts'
import { catalogues } from '../../core/wording/catalogues.ts'
import type { Language } from '../../core/wording/languages.ts'
import type { Wording } from '../../core/wording/wording.ts'
import type { Caller } from '../../kit/caller.ts'
import { requireVersion } from '../../kit/versions.ts'
import { type CurrentWording, currentWording, emailTemplate, type TemplateRef } from './email-templates.ts'
import type { EmailTemplateView } from './schemas.ts'
import { validatedWording } from './validated-wording.ts'

interface Given extends TemplateRef, Wording {
  expected_version?: number
}

/**
 * Changes the wording of an e-mail in one language, from the next e-mail on. The default wording is not stored: giving it resets the template.
 * Throws `WordingRefused`, `VersionConflict`.
 */
export async function updateEmailTemplate(
  services: Services,
  actor: StaffActor,
  { name, language, subject, text, expected_version }: Given,
  caller: Caller
): Promise<EmailTemplateView> {
  const which = { name, language }
  const wording = validatedWording(name, { subject, text })
  return await act(services, { actor, caller }, async act => {
    const { db } = act
    const before = await lockedWording(db, which, expected_version)
    if (isSame(before, wording)) return await emailTemplate(db, which)
    if (isSame(catalogues[language].emails[name], wording)) await removeWording(db, which)
    else await storeWording(db, { ...which, ...wording, now: laterThan(before, act) })
    act.happened({
      kind: 'email_template.changed',
      subject: { type: 'setting', id: null },
      before: { ...which, subject: before.subject, text: before.text },
      after: { ...which, ...wording }
    })
    return await emailTemplate(db, which)
  })
}

/** Resets an e-mail in one language to its default. Throws `VersionConflict`. */
export async function resetEmailTemplate(
  services: Services,
  actor: StaffActor,
  { name, language, expected_version }: TemplateRef & { expected_version?: number },
  caller: Caller
): Promise<EmailTemplateView> {
  const which = { name, language }
  return await act(services, { actor, caller }, async act => {
    const { db } = act
    const before = await lockedWording(db, which, expected_version)
    if (before.updatedAt) {
      await removeWording(db, which)
      act.happened({
        kind: 'email_template.reset',
        subject: { type: 'setting', id: null },
        before: { ...which, subject: before.subject, text: before.text },
        after: { ...which, ...catalogues[language].emails[name] }
      })
    }
    return await emailTemplate(db, which)
  })
}

/** Serializes admins, so that each records the wording that they changed. Readers do not wait. */
async function lockedWording(db: Db, which: TemplateRef, expected: number | undefined): Promise<CurrentWording> {
  await sql`lock table email_templates in share row exclusive mode`.execute(db)
  const current = await currentWording(db, which)
  requireVersion(current.version, expected)
  return current
}

/** The version only increases, whatever the clock does. */
function laterThan({ version }: CurrentWording, { now }: Act): Date {
  return new Date(Math.max(now.getTime(), version + 1))
}

function isSame(one: Wording, other: Wording): boolean {
  return one.subject === other.subject && one.text === other.text
}

const storeWording = prepared((db, p: Wording & { name: string; language: Language; now: Date }) =>
  db
    .insertInto('email_templates')
    .values({ name: p.name, language: p.language, subject: p.subject, text: p.text, updated_at: p.now })
    .onConflict(conflict =>
      conflict.columns(['name', 'language']).doUpdateSet({ subject: p.subject, text: p.text, updated_at: p.now })
    )
)

const removeWording = prepared((db, p: { name: string; language: Language }) =>
  db.deleteFrom('email_templates').where('name', '=', p.name).where('language', '=', p.language)
)
