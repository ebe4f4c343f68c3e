import type { Draft } from '../../lib/drafts.ts'

// What was taken from a side conversation into a reply stands in the draft's field `taken` as well, until its words are changed.

/** The draft with this text as a quote at its end. */
export function withQuote({ text, fields }: Draft, taken: string): Pick<Draft, 'text' | 'caret' | 'fields'> {
  const quote = taken
    .trim()
    .split('\n')
    .map(line => `> ${line}`.trimEnd())
    .join('\n')
  const before = text.trimEnd()
  const now = `${before}${before && '\n\n'}${quote}\n\n`
  return { text: now, caret: [now.length, now.length], fields: { ...fields, taken: quote } }
}

/** The draft without its quote. */
export function withoutQuote({ text, fields }: Draft): Pick<Draft, 'text' | 'caret' | 'fields'> {
  const now = text
    .replace(fields.taken ?? '', '')
    .replace(/\n{3,}/g, '\n\n')
    .trimStart()
  return { text: now, caret: [now.length, now.length], fields: { ...fields, taken: '' } }
}

/** The field of a quote whose words were changed: from then on they are the writer's own. */
export function withoutChangedQuote({ fields }: Draft, changed: Partial<Draft>): Partial<Pick<Draft, 'fields'>> {
  const now = { ...fields, ...changed.fields }
  if (!now.taken || changed.text === undefined || changed.text.includes(now.taken)) return {}
  return { fields: { ...now, taken: '' } }
}
