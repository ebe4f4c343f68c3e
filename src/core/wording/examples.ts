import { type AnyEmail, placeholdersOf, type TemplateName, templateNamed, type Value } from './email-templates.ts'
import type { Language } from './languages.ts'
import type { PlaceholderKind } from './placeholder-kinds.ts'

/** An e-mail with example values, for a preview. `conditions` are those that are true; by default the `usual` ones. */
export function exampleEmail(
  template: TemplateName,
  language: Language,
  { url, conditions }: { url: string; conditions?: readonly string[] | undefined }
): AnyEmail {
  const holding = conditions ?? Object.keys(templateNamed(template).conditions).filter(name => usual.has(name))
  const values = Object.fromEntries<Value>([
    ...Object.entries(placeholdersOf(template)).map(
      ([name, { kind }]) => [name, exampleOf(name, kind, language, url)] as const
    ),
    ...Object.keys(templateNamed(template).conditions).map(name => [name, holding.includes(name)] as const)
  ])
  return { template, values }
}

/** Of conditions that exclude each other, only one. */
const usual = new Set([
  'by_owner',
  'answered',
  'closed',
  'reply',
  'answerable',
  'known_program',
  'assigned',
  'mentioned',
  'replied',
  'failing'
])

/** The value of a placeholder in the preview. */
function exampleOf(name: string, kind: PlaceholderKind, language: Language, url: string): Value {
  const messages = [{ by: 'Grace Hopper', text: answers[language] }]
  if (kind === 'messages') return messages
  if (kind === 'answer') {
    return { messages, filesElsewhere: [], filesRefused: [], hasFiles: false, link: `${url}/tickets/1` }
  }
  if (kind === 'thread') return [{ by: 'Ada Lovelace', text: questions[language], at: exampleTime }]
  if (name === 'ticket.link') return `${url}/tickets/1`
  if (name.endsWith('.link')) return `${url}/${name === 'reset.link' ? 'reset-password' : 'confirm'}?token=example`
  if (name === 'token.ends_in') return 14 * 86_400
  if (name.endsWith('.valid_for')) return name === 'code.valid_for' ? 900 : 3600
  if (name === 'ticket.subject') return subjects[language]
  return examples[name] ?? ''
}

const examples: Readonly<Record<string, string>> = {
  code: '123456',
  'ticket.number': 'TIC-482910',
  'admin.name': 'Grace Hopper',
  'token.last_four': 'X5Tq',
  'token.page': 'https://support.example.com/desk/account/tokens',
  'assigned.by': 'Grace Hopper',
  'device.browser': 'Firefox',
  'device.system': 'Windows',
  'device.network': '192.0.2.0/24',
  'mentioned.by': 'Alan Turing',
  'partner.name': 'Sungrid Service',
  'conversation.subject': 'Error E-042 after the update',
  'notice.subject': 'We close this ticket soon',
  'mailbox.address': 'support@example.com',
  'mailbox.error': 'imap.example.com refuses the user or the password',
  'mailbox.link': 'https://support.example.com/desk/settings/email/3',
  'webhook.id': '3',
  'webhook.origin': 'https://crm.example.com'
}

const subjects: Record<Language, string> = { en: 'The printer is on fire', de: 'Der Drucker brennt' }

const exampleTime = new Date('2026-11-20T08:28:31Z')

const questions: Record<Language, string> = {
  en: 'Smoke comes out of the printer. What shall I do?',
  de: 'Aus dem Drucker kommt Rauch. Was soll ich tun?'
}

const answers: Record<Language, string> = {
  en: 'Please unplug it and step back.\nA new one is on its way.',
  de: 'Bitte ziehen Sie den Stecker und halten Sie Abstand.\nEin neuer ist unterwegs.'
}
