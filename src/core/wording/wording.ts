import type { TemplateName } from './email-templates.ts'
import type { LinkWords } from './placeholder-kinds.ts'

/** The subject and text of an e-mail, with placeholders. Blank lines separate the paragraphs of the text. */
export interface Wording {
  subject: string
  text: string
}

/** All texts that Deskline sends to people in one language. */
export interface Catalogue {
  emails: Readonly<Record<TemplateName, Wording>>
  /** The name of a desk that has none in its settings. */
  desk: string
  /** What links are called that are not shown as addresses. */
  links: Readonly<Record<LinkWords, string>>
  /** A text message with a code. */
  phoneCode: string
  /** The line before a message. */
  wrote: string
  /** The line before an earlier message, in the form of mail programs, which fold quotes by it. */
  wroteOn: string
  /** Follows the number of a day, as in 22. Nov. */
  dayMark: string
  months: readonly string[]
  filesElsewhere: string
  /** The same for readers who cannot log in. */
  filesByLink: string
  filesRefused: string
  /** The number of messages that are left out. */
  leftOut: readonly [one: string, other: string]
  durations: Readonly<Record<'day' | 'hour' | 'minute', readonly [one: string, other: string]>>
}

/** Joins paragraphs to a text. */
export function paragraphs(...each: readonly string[]): string {
  return each.join('\n\n')
}
