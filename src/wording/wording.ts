import type { TemplateName } from './email-templates.ts'

/** What an e-mail says, with placeholders. A blank line begins a new paragraph of the text. */
export interface Wording {
  subject: string
  text: string
}

/** All that Deskline writes to people in one language. */
export interface Catalogue {
  emails: Readonly<Record<TemplateName, Wording>>
  /** What the desk is called where it has no name. */
  desk: string
  /** A text message with a code. */
  phoneCode: string
  /** What stands before what somebody wrote. */
  wrote: string
  /** What stands before what was written earlier, as mail programs put it; mail that quotes it is folded by that. */
  wroteOn: string
  /** What stands behind the number of a day: 22. Nov. */
  dayMark: string
  months: readonly string[]
  filesElsewhere: string
  /** The same for those who cannot log in. */
  filesByLink: string
  filesRefused: string
  /** How many messages are left out. */
  leftOut: readonly [one: string, other: string]
  durations: Readonly<Record<'day' | 'hour' | 'minute', readonly [one: string, other: string]>>
}

/** A text of these paragraphs. */
export function paragraphs(...each: readonly string[]): string {
  return each.join('\n\n')
}
