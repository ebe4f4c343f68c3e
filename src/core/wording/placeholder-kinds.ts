import type { Answer, EarlierMessage, Quoted } from './quoted.ts'

/** The kinds of placeholders. A code, messages and a thread need a paragraph of their own; a link is clickable only in one. */
export const placeholderKinds = ['text', 'duration', 'link', 'code', 'messages', 'answer', 'thread'] as const
export type PlaceholderKind = (typeof placeholderKinds)[number]

/** Whether it needs a paragraph of its own. */
export function isBlock(kind: PlaceholderKind): boolean {
  return kind === 'code' || kind === 'messages' || kind === 'answer' || kind === 'thread'
}

export interface Placeholder {
  kind: PlaceholderKind
  description: string
  /** The text must contain it, since the e-mail would be useless without it. */
  isRequired?: true
  /** Not allowed in subjects, which show on locked screens. */
  isSecret?: true
  /** A link that is shown as words of the catalogue; `good` and `bad` are buttons. */
  words?: LinkWords
}

/** What a link is called. */
export type LinkWords = 'good' | 'bad' | 'stop'

/** The value of a placeholder of each kind. */
export interface ValueOf {
  text: string
  link: string
  code: string
  /** In seconds. */
  duration: number
  messages: readonly Quoted[]
  answer: Answer
  thread: readonly EarlierMessage[]
}
