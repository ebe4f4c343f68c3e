import type { Static } from 'typebox'
import { type Db, prepared } from '../../core/db.ts'
import { catalogues } from '../../core/wording/catalogues.ts'
import { placeholdersOf, type TemplateName, templateNamed, templateNames } from '../../core/wording/email-templates.ts'
import { type Language, languages } from '../../core/wording/languages.ts'
import { isBlock } from '../../core/wording/placeholder-kinds.ts'
import type { Wording } from '../../core/wording/wording.ts'
import { wordingFaults } from '../../core/wording/wording-faults.ts'
import { bit } from '../../lib/bit.ts'
import { timestamp } from '../../lib/time.ts'
import type { EmailTemplateView, TemplateInList } from './schemas.ts'

/** Which e-mail, in which language. */
export interface TemplateRef {
  name: TemplateName
  language: Language
}

/** The current wording of an e-mail; its version is the time of the last change. */
export interface CurrentWording extends Wording {
  updatedAt: Date | null
  version: number
}

/** Every e-mail, with its subject in each language and whether an admin has changed it. */
export async function listEmailTemplates(db: Db): Promise<Static<typeof TemplateInList>[]> {
  const stored = await everyWording(db, {})
  return templateNames.map(name => {
    const { group, description } = templateNamed(name)
    const wordings = languages.map(language => {
      const changed = stored.find(row => row.name === name && row.language === language)
      const wording = currentOf({ name, language }, changed)
      return { ...stateOf({ name, language }, wording), subject: wording.subject }
    })
    return { name, group, description, wordings }
  })
}

export async function currentWording(db: Db, which: TemplateRef): Promise<CurrentWording> {
  const [changed] = await oneWording(db, { ...which })
  return currentOf(which, changed)
}

/** An e-mail with everything needed to edit it. */
export async function emailTemplate(db: Db, which: TemplateRef): Promise<EmailTemplateView> {
  const { name, language } = which
  const wording = await currentWording(db, which)
  const { group, description, conditions, requiredInSubject } = templateNamed(name)
  const standard = catalogues[language].emails[name]
  return {
    name,
    group,
    description,
    ...stateOf(which, wording),
    subject: wording.subject,
    text: wording.text,
    default_subject: standard.subject,
    default_text: standard.text,
    faults: wordingFaults(name, wording).map(({ message }) => message),
    placeholders: Object.entries(placeholdersOf(name)).map(
      ([placeholder, { kind, description, isRequired, isSecret }]) => ({
        name: placeholder,
        kind,
        description,
        is_required: bit(isRequired === true),
        is_required_in_subject: bit(requiredInSubject?.includes(placeholder) === true),
        may_be_in_subject: bit(!isSecret && !isBlock(kind))
      })
    ),
    conditions: Object.entries(conditions).map(([condition, description]) => ({ name: condition, description }))
  }
}

function currentOf(
  { name, language }: TemplateRef,
  changed: (Wording & { updated_at: Date }) | undefined
): CurrentWording {
  if (!changed) return { ...catalogues[language].emails[name], updatedAt: null, version: 1 }
  const { subject, text, updated_at: updatedAt } = changed
  return { subject, text, updatedAt, version: updatedAt.getTime() }
}

function stateOf({ name, language }: TemplateRef, wording: CurrentWording) {
  return {
    language,
    is_changed: bit(wording.updatedAt !== null),
    is_used: bit(wordingFaults(name, wording).length === 0),
    updated_at: wording.updatedAt && timestamp(wording.updatedAt),
    version: wording.version
  }
}

const columns = ['name', 'language', 'subject', 'text', 'updated_at'] as const

const everyWording = prepared(db => db.selectFrom('email_templates').select(columns))

const oneWording = prepared((db, p: { name: string; language: Language }) =>
  db.selectFrom('email_templates').where('name', '=', p.name).where('language', '=', p.language).select(columns)
)
