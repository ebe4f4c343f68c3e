import { DesklineError } from '@deskline/client'
import type { RefObject } from 'react'
import { type Key, t } from '../lib/strings.ts'

/** The error messages of fields. */
export type FieldErrors<Name extends string> = Partial<Record<Name, string>>

/** The error messages of the fields that a refusal names: from `words` by its reason and the field, or else the service's message. */
export function fieldErrorsOf<Name extends string>(
  error: unknown,
  words: Record<string, Partial<Record<string, Key>>>
): FieldErrors<Name> {
  if (!(error instanceof DesklineError)) return {}
  const known = words[error.reason] ?? {}
  const named = error.errors.length > 0 ? error.errors : Object.keys(known)
  if (error.status !== 400 && !(error.reason in words)) return {}
  return Object.fromEntries(
    named.map(name => [name, known[name] ? t(known[name]) : error.message])
  ) as FieldErrors<Name>
}

/** Focuses the first invalid field, once it is marked. */
export function focusFirstError(form: RefObject<HTMLElement | null>): void {
  requestAnimationFrame(() => {
    const field = form.current?.querySelector<HTMLElement>('[aria-invalid=true]')
    field?.closest('details')?.setAttribute('open', '')
    field?.focus()
  })
}
