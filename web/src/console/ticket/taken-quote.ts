import type { Draft } from '../../lib/drafts.ts'

// What was taken from a side conversation into a reply stands in the draft's field `taken` as well, until its words are changed; the names of the files
// that came along stand in `takenFiles`.

type Taken = Pick<Draft, 'text' | 'caret' | 'files' | 'fields'>

/** The draft with this text as a quote at its end, and these files. */
export function withQuote({ text, files, fields }: Draft, taken: string, added: readonly File[]): Taken {
  const quote = taken
    .trim()
    .split('\n')
    .map(line => `> ${line}`.trimEnd())
    .join('\n')
  const before = text.trimEnd()
  const now = `${before}${before && '\n\n'}${quote}\n\n`
  return {
    text: now,
    caret: [now.length, now.length],
    files: [...files, ...added],
    fields: { ...fields, taken: quote, takenFiles: added.map(({ name }) => name).join('\n') }
  }
}

/** The draft without its quote and what came along. */
export function withoutQuote({ text, files, fields }: Draft): Taken {
  const names = fields.takenFiles?.split('\n') ?? []
  const now = text
    .replace(fields.taken ?? '', '')
    .replace(/\n{3,}/g, '\n\n')
    .trimStart()
  return {
    text: now,
    caret: [now.length, now.length],
    files: files.filter(({ name }) => !names.includes(name)),
    fields: { ...fields, taken: '', takenFiles: '' }
  }
}

/** The field of a quote whose words were changed: from then on they are the writer's own. */
export function withoutChangedQuote({ fields }: Draft, changed: Partial<Draft>): Partial<Pick<Draft, 'fields'>> {
  const now = { ...fields, ...changed.fields }
  if (!now.taken || changed.text === undefined || changed.text.includes(now.taken)) return {}
  return { fields: { ...now, taken: '', takenFiles: '' } }
}
