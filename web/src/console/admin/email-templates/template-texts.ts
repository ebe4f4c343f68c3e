import type { DataOf } from '@deskline/client'
import { failureOf } from '../../../app/failures.ts'
import { type Key, t } from '../../../lib/strings.ts'
import { adminFailureText } from '../../admin-failure-text.ts'

export type EmailTemplate = DataOf<'/api/admin/email-templates/detail'>['template']
export type ListedTemplate = DataOf<'/api/admin/email-templates/list'>['templates'][number]

/** Translates the service's English error messages, as far as they are known here. */
function translatedOr(key: string, otherwise: string): string {
  const text = t(key as Key)
  return text === key ? otherwise : text
}

export function titleOf(name: string): string {
  return translatedOr(`admin.template.title.${name}`, name)
}

export function descriptionOf({ name, description }: { name: string; description: string }): string {
  return translatedOr(`admin.template.to.${name}`, description)
}

export function placeholderDescription({ name, description }: { name: string; description: string }): string {
  return translatedOr(`admin.template.value.${name}`, description)
}

export function conditionDescription({ name, description }: { name: string; description: string }): string {
  return translatedOr(`admin.template.if.${name}`, description)
}

/** Why it was not done. What is wrong with a wording the service says best, and stands at its field before. */
export function templateFailureText(error: unknown): string {
  return failureOf(error)?.reason === 'wording_refused'
    ? `${t('admin.template.cannotBeSent')} (${(error as Error).message})`
    : adminFailureText(error)
}

const tag = /\{\{\s*([#/]?)\s*([\w.]+)\s*\}\}/g

/** The error in a template, in the language of the pages. The service checks it again. */
export function templateFaults(
  { placeholders, conditions }: EmailTemplate,
  { subject, text }: { subject: string; text: string }
): { subject?: string; text?: string } {
  const always = paragraphsOf(text.replace(/\{\{\s*#\s*([\w.]+)\s*\}\}.*?\{\{\s*\/\s*\1\s*\}\}/gs, ''))
  const lacking = placeholders.find(({ name, is_required }) => is_required === 1 && !always.includes(name))
  const missing = placeholders.find(
    ({ name, is_required_in_subject }) => is_required_in_subject === 1 && !namesIn(subject).includes(name)
  )
  const unfit = placeholders.find(
    ({ name, may_be_in_subject }) => !may_be_in_subject && namesIn(subject).includes(name)
  )
  const inSubject =
    unknownIn(subject) ?? (unfit ? t('admin.template.notInSubject', { name: `{{${unfit.name}}}` }) : undefined)
  const subjectFault =
    inSubject ?? (missing ? t('admin.template.neededInSubject', { name: `{{${missing.name}}}` }) : undefined)
  const textFault =
    unknownIn(text) ?? (lacking ? t('admin.template.neededInText', { name: `{{${lacking.name}}}` }) : undefined)
  return { ...(subjectFault ? { subject: subjectFault } : {}), ...(textFault ? { text: textFault } : {}) }

  function unknownIn(given: string): string | undefined {
    const unknown = [...given.matchAll(tag)].find(
      ([, sign, name]) => !(sign === '' ? placeholders : conditions).some(known => known.name === name)
    )
    if (unknown) return t('admin.template.unknown', { name: unknown[0] })
    return /\{\{|\}\}/.test(given.replace(tag, '')) ? t('admin.template.strayBraces') : undefined
  }
}

function namesIn(text: string): string[] {
  return [...text.matchAll(tag)].map(([, , name]) => name!)
}

/** The placeholders that are a whole paragraph. */
function paragraphsOf(text: string): string[] {
  return text.split(/\n\s*\n/).flatMap(paragraph => /^\s*\{\{\s*([\w.]+)\s*\}\}\s*$/.exec(paragraph)?.[1] ?? [])
}
