import type { Item } from './item.ts'
import type { Language } from './languages.ts'

/** A message in a ticket. */
export interface Quoted {
  by: string
  text: string
  /** What the text looks like, if it is formatted: sanitised HTML without styles. */
  html?: string
  /** What stands below it in place of the name, in each language. */
  signature?: Partial<Record<Language, string>>
}

/** A message before those that the e-mail is about. */
export interface EarlierMessage extends Quoted {
  at: Date
}

/** Messages of staff to a client or follower, with their files. */
export interface Answer {
  messages: readonly Quoted[]
  /** The names and sizes of files that are not attached but can be downloaded. */
  filesElsewhere: readonly Item[]
  /** The names of infected files. */
  filesRefused: readonly string[]
  hasFiles: boolean
  /** The URL of the ticket; undefined for readers without access to it, who get a link for each file. */
  link: string | undefined
}
