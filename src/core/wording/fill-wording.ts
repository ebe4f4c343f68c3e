import { catalogues } from './catalogues.ts'
import type { Value } from './email-templates.ts'
import type { Item } from './item.ts'
import type { Language } from './languages.ts'
import type { LinkWords, PlaceholderKind } from './placeholder-kinds.ts'
import { paragraphsOf, placeholderAlone, resolveConditions, withValues } from './placeholders.ts'
import type { Answer, EarlierMessage, Quoted } from './quoted.ts'
import type { Wording } from './wording.ts'

/** A paragraph of an e-mail: our own text, or something of another form, such as a link, or a text of somebody else, marked as a quote. */
export type Paragraph =
  | string
  /** `name`: what it is called; without one it is shown as its address. */
  | { link: string; name?: string; isButton?: boolean }
  | { code: string }
  | { quote: string }
  /** The unchanged text that a person wrote to the reader; the signature has the person's name. */
  | { words: string; html?: string }
  | { signature: string }
  | { items: readonly Item[] }
  /** The place for a list of files that turn out not to be attachable when the e-mail is sent, with its heading. */
  | { leftOutFiles: { words: string; link?: string | undefined } }
  | { earlier: readonly Earlier[] }

/** An earlier message, in the form in which mail programs quote below a reply. */
export interface Earlier {
  /** "On 22 Nov 2026 at 14:30 UTC, Ada Lovelace wrote:" */
  attribution: string
  text: string
}

/** An e-mail before it is laid out as plain text and as HTML. */
export interface FilledEmail {
  subject: string
  paragraphs: Paragraph[]
}

/** The kind and value of each placeholder of a template, by name; conditions are true or false. */
export type Values = ReadonlyMap<string, Given>

interface Given {
  kind: PlaceholderKind | 'condition'
  value: Value
  words?: LinkWords | undefined
}

const maxSubjectCharacters = 500
const maxValueCharacters = 500
const quotedMessages = 10
const quotedCharacters = 5_000
const earlierCharacters = 20_000

/** Fills these values into the wording. Nothing is escaped here: the plain text and the HTML need different escapes. */
export function fillWording({ subject, text }: Wording, values: Values, language: Language): FilledEmail {
  const isTrue = (name: string) => values.get(name)?.value === true
  const inLine = (name: string) => inWords(values.get(name), language)
  return {
    subject: cut(oneLine(withValues(resolveConditions(subject, isTrue), inLine)), maxSubjectCharacters),
    paragraphs: paragraphsOf(resolveConditions(text, isTrue)).flatMap(paragraph => {
      const apart = values.get(placeholderAlone(paragraph) ?? '')
      return (apart && blockPlaceholders(apart, language)) ?? [withValues(paragraph, inLine)]
    })
  }
}

/** The text message with a code, short enough for a single SMS. */
export function phoneCodeText(
  { code, expiresInSeconds }: { code: string; expiresInSeconds: number },
  language: Language
): { text: string } {
  const values: Record<string, string> = { code, 'code.valid_for': duration(expiresInSeconds, language) }
  return { text: withValues(catalogues[language].phoneCode, name => values[name]!) }
}

/** Undefined for placeholders that are always part of a line. */
function blockPlaceholders({ kind, value, words }: Given, language: Language): Paragraph[] | undefined {
  if (kind === 'link') {
    const link = oneLine(String(value))
    return [words ? { link, name: catalogues[language].links[words], isButton: words !== 'stop' } : { link }]
  }
  if (kind === 'code') return [{ code: oneLine(String(value)) }]
  if (kind === 'messages') return quotes(value as readonly Quoted[], language)
  if (kind === 'answer') return answered(value as Answer, language)
  return kind === 'thread' ? [{ earlier: quotedEarlier(value as readonly EarlierMessage[], language) }] : undefined
}

function inWords(given: Given | undefined, language: Language): string {
  if (!given || ['condition', 'messages', 'answer', 'thread'].includes(given.kind)) return ''
  if (given.kind === 'duration') return duration(given.value as number, language)
  const line = oneLine(String(given.value))
  // A truncated URL would not work.
  return given.kind === 'text' ? cut(line, maxValueCharacters) : line
}

function quotes(messages: readonly Quoted[], language: Language): Paragraph[] {
  const { wrote, leftOut } = catalogues[language]
  const earlier = messages.length - quotedMessages
  return [
    ...(earlier > 0 ? [counted(leftOut, earlier)] : []),
    ...messages
      .slice(-quotedMessages)
      .flatMap(({ by, text }) => [
        withValues(wrote, () => cut(oneLine(by), maxValueCharacters)),
        { quote: shortened(text) }
      ])
  ]
}

/** The messages of staff, each with its signature, and then the notes about their files. */
function answered(answer: Answer, language: Language): Paragraph[] {
  const { messages, filesElsewhere, filesRefused, hasFiles, link } = answer
  const words = catalogues[language]
  const elsewhere = link === undefined ? words.filesByLink : words.filesElsewhere
  const earlier = messages.length - quotedMessages
  return [
    ...(earlier > 0 ? [counted(words.leftOut, earlier)] : []),
    ...messages
      .slice(-quotedMessages)
      .flatMap((message): Paragraph[] => [wordsOf(message), { signature: signed(message, language) }]),
    ...(filesElsewhere.length > 0
      ? [elsewhere, { items: filesElsewhere.map(lineOf) }, ...(link === undefined ? [] : [{ link }])]
      : []),
    ...(filesRefused.length > 0 ? [words.filesRefused, { items: filesRefused.map(oneLine) }] : []),
    ...(hasFiles ? [{ leftOutFiles: { words: elsewhere, link } }] : [])
  ]
}

/** The signature in the reader's language or else in any, or the name. */
function signed({ by, signature = {} }: Quoted, language: Language): string {
  const text = signature[language] ?? Object.values(signature)[0]
  return text ? shortened(text) : oneLine(by)
}

/** A text that has to be cut is shown as it was typed. */
function wordsOf({ text, html }: Quoted): Paragraph {
  const words = shortened(text)
  return html === undefined || words.length !== withNewlines(text).length ? { words } : { words, html }
}

function lineOf(item: Item): Item {
  return typeof item === 'string' ? oneLine(item) : { ...item, label: oneLine(item.label) }
}

/** The newest messages, up to `earlierCharacters` in all. */
function quotedEarlier(messages: readonly EarlierMessage[], language: Language): Earlier[] {
  const mails: Earlier[] = []
  let room = earlierCharacters
  for (const { by, text, at } of messages) {
    const values: Record<string, string> = { by: cut(oneLine(by), maxValueCharacters), date: dated(at, language) }
    const mail = { attribution: withValues(catalogues[language].wroteOn, name => values[name]!), text: shortened(text) }
    room -= mail.text.length
    if (room < 0) break
    mails.push(mail)
  }
  return mails
}

/** 22 Nov 2026, 14:30 UTC */
function dated(at: Date, language: Language): string {
  const { dayMark, months } = catalogues[language]
  const day = `${at.getUTCDate()}${dayMark} ${months[at.getUTCMonth()]} ${at.getUTCFullYear()}`
  return `${day}, ${at.toISOString().slice(11, 16)} UTC`
}

function shortened(given: string): string {
  const text = withNewlines(given)
  const characters = [...text.slice(0, 2 * quotedCharacters + 1)]
  return characters.length > quotedCharacters ? `${characters.slice(0, quotedCharacters).join('')} […]` : text
}

function withNewlines(text: string): string {
  return text.replace(/\r\n?/g, '\n').trim()
}

// These characters change the direction of the text after them, and so could distort our own text. Letters have their direction without them.
const directionControls = /[\u202a-\u202e\u2066-\u2069]/g

/** Collapses whitespace and control characters. Other special characters in a subject are encoded when the e-mail is composed. */
function oneLine(text: string): string {
  return text
    .replace(directionControls, '')
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim()
}

function cut(text: string, most: number): string {
  const characters = [...text.slice(0, 2 * most + 1)]
  return characters.length > most ? `${characters.slice(0, most - 1).join('')}…` : text
}

/** A round number of days or hours, else of minutes. */
function duration(seconds: number, language: Language): string {
  const [count, unit] = countOf(seconds)
  const [one, other] = catalogues[language].durations[unit]
  return `${count} ${count === 1 ? one : other}`
}

function countOf(seconds: number): [number, 'day' | 'hour' | 'minute'] {
  if (seconds % 86_400 === 0) return [seconds / 86_400, 'day']
  return seconds % 3600 === 0 ? [seconds / 3600, 'hour'] : [Math.ceil(seconds / 60), 'minute']
}

function counted([one, other]: readonly [string, string], count: number): string {
  return count === 1 ? one : withValues(other, () => String(count))
}
