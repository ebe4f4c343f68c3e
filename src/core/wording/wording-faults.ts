import { placeholdersOf, type TemplateName, templateNamed } from './email-templates.ts'
import { isBlock } from './placeholder-kinds.ts'
import { paragraphsOf, placeholderAlone, resolveConditions } from './placeholders.ts'
import type { Wording } from './wording.ts'

/** A reason why a wording cannot be used, in one sentence. */
export interface WordingFault {
  field: keyof Wording
  message: string
}

const tag = /\{\{([#/]?)([\w.]+)\}\}/g
const maxNamed = 5

/** The faults of a wording of this e-mail; none if it can be sent. */
export function wordingFaults(name: TemplateName, { subject, text }: Wording): WordingFault[] {
  return [
    ...[...tagFaults(name, subject), ...subjectFaults(name, subject)].map(message => ({
      field: 'subject' as const,
      message
    })),
    ...[...tagFaults(name, text), ...textFaults(name, text)].map(message => ({ field: 'text' as const, message }))
  ]
}

/** The faults in both the subject and the text: unknown placeholders, and conditional parts without a beginning or end. */
function tagFaults(name: TemplateName, given: string): string[] {
  const placeholders = Object.keys(placeholdersOf(name))
  const conditions = Object.keys(templateNamed(name).conditions)
  const unknown = new Set<string>()
  let open: string | undefined
  for (const [all, sign, named] of given.matchAll(tag)) {
    if (!(sign === '' ? placeholders : conditions).includes(named!)) unknown.add(all)
    else if (sign === '#' && open !== undefined)
      return [`{{#${named}}} stands within {{#${open}}}, which is not possible`]
    else if (sign === '/' && open !== named) return [`{{/${named}}} ends what has not begun`]
    if (sign !== '') open = sign === '#' ? named! : undefined
  }
  if (unknown.size > 0) {
    const known = [...placeholders, ...conditions.map(condition => `#${condition}`)].map(each => `{{${each}}}`)
    return [`${[...unknown].slice(0, maxNamed).join(', ')} is unknown here. Known are ${known.join(', ')}`]
  }
  if (open !== undefined) return [`{{#${open}}} has no end: write {{/${open}}} behind it`]
  const isStray = /\{\{\{|\}\}\}/.test(given) || /\{\{|\}\}/.test(given.replace(tag, ''))
  return isStray ? ['Double braces stand only around the name of a placeholder, as in {{desk.name}}'] : []
}

function subjectFaults(name: TemplateName, subject: string): string[] {
  const always = resolveConditions(subject, () => false)
  const missing = (templateNamed(name).requiredInSubject ?? []).filter(each => !always.includes(`{{${each}}}`))
  const unfit = Object.entries(placeholdersOf(name)).filter(
    ([each, { kind, isSecret }]) => subject.includes(`{{${each}}}`) && (isSecret || isBlock(kind))
  )
  return [
    ...unfit.map(([each]) => `{{${each}}} may not stand in the subject`),
    ...missing.map(each => `{{${each}}} must stand in the subject, outside of conditions`)
  ]
}

function textFaults(name: TemplateName, text: string): string[] {
  const placeholders = Object.entries(placeholdersOf(name))
  const always = paragraphsOf(resolveConditions(text, () => false)).map(placeholderAlone)
  const missing = placeholders.filter(([each, { isRequired }]) => isRequired && !always.includes(each))
  const within = paragraphsOf(resolveConditions(text, () => true)).filter(
    paragraph => placeholderAlone(paragraph) === undefined
  )
  const unfit = placeholders.filter(
    ([each, { kind }]) => isBlock(kind) && within.some(line => line.includes(`{{${each}}}`))
  )
  return [
    ...missing.map(
      ([each]) =>
        `{{${each}}} must stand in a paragraph of its own, with a blank line before and after it, outside of conditions`
    ),
    ...unfit.filter(one => !missing.includes(one)).map(([each]) => `{{${each}}} must stand in a paragraph of its own`)
  ]
}
