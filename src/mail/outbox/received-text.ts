import type { TextsByLanguage } from '../../core/tables/mails.ts'
import { catalogues } from '../../core/wording/catalogues.ts'
import type { TemplateName } from '../../core/wording/email-templates.ts'
import type { Language } from '../../core/wording/languages.ts'
import type { Wording } from '../../core/wording/wording.ts'
import { wordingFaults } from '../../core/wording/wording-faults.ts'
import { InvalidFields } from '../../kit/errors.ts'

const received = /\{\{#received\}\}.*?\{\{\/received\}\}/s

/**
 * The wording with this text in place of the part that says that a message was received. What the desk says around it stays: how to answer, where the
 * ticket is, and what somebody can do whose address another has given. A template that an admin has left without that part is not used for it.
 */
export function withReceived(
  template: TemplateName,
  changed: Wording | undefined,
  texts: TextsByLanguage,
  language: Language
): Wording | undefined {
  const text = texts[language] ?? Object.values(texts)[0]
  if (!text || faultOf(text) !== undefined) return changed
  const wording = changed && received.test(changed.text) ? changed : catalogues[language].emails[template]
  return { ...wording, text: wording.text.replace(received, () => within(text)) }
}

/** Throws `InvalidFields` for texts of an acknowledgement that cannot stand there: a client who is not known sees nothing that somebody else has written. */
export function requireReceivedTexts(texts: TextsByLanguage): void {
  const fault = Object.values(texts)
    .map(faultOf)
    .find(each => each !== undefined)
  if (fault) throw InvalidFields({ message: `acknowledgement: ${fault}`, errors: ['acknowledgement'] })
}

function faultOf(text: string): string | undefined {
  const { subject } = catalogues.en.emails['client-ticket-unverified']
  return wordingFaults('client-ticket-unverified', { subject, text: within(text) })[0]?.message
}

function within(text: string): string {
  return `{{#received}}${text}{{/received}}`
}
