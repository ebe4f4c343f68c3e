import type { TemplateName } from '../../core/wording/email-templates.ts'
import type { Wording } from '../../core/wording/wording.ts'
import { wordingFaults } from '../../core/wording/wording-faults.ts'
import { failure } from '../../kit/errors.ts'

export const WordingRefused = failure(400, 'wording_refused', 'This e-mail template is invalid')

/** The wording as it is stored. Throws `WordingRefused` with everything that is wrong with it. */
export function validatedWording(name: TemplateName, given: Wording): Wording {
  const wording = {
    subject: plainTags(given.subject),
    text: plainTags(given.text.replace(/\r\n?/g, '\n'))
      .replace(/[^\S\n]+$/gm, '')
      .trim()
  }
  const faults = wordingFaults(name, wording)
  if (faults.length === 0) return wording
  throw WordingRefused({
    message: faults.map(({ field, message }) => `${field}: ${message}`).join('. '),
    errors: [...new Set(faults.map(({ field }) => field))]
  })
}

/** Blanks within double braces are ignored. */
function plainTags(text: string): string {
  return text.replace(/\{\{\s*([#/]?)\s*([\w.]+)\s*\}\}/g, '{{$1$2}}')
}
