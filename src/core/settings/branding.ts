import { InvalidFields } from '../../kit/errors.ts'
import { contrast, white } from '../../lib/contrast.ts'
import type { DeskSettings } from './registry.ts'

type Branding = Pick<DeskSettings, 'privacy_url' | 'accent'>

/** The minimum contrast of elements with their surroundings (WCAG 2.2, 1.4.11). */
const minContrastOnPage = 3

/** The given fields in the form to be stored. Throws `InvalidFields` for values that pages could not show well or safely. */
export function validatedBranding({ privacy_url, accent }: Partial<Branding>): Partial<Branding> {
  if (privacy_url && !isPlainLink(privacy_url)) {
    throw InvalidFields({
      message: 'privacy_url must be an http or https address without a user name or a password',
      errors: ['privacy_url']
    })
  }
  if (!accent) return accent === undefined ? {} : { accent }
  const color = accent.toLowerCase()
  if (contrast(color, white) < minContrastOnPage) throw tooLight(color)
  return { accent: color }
}

function isPlainLink(given: string): boolean {
  const url = URL.parse(given)
  return url !== null && url.username === '' && url.password === ''
}

/**
 * Text on the accent needs a contrast of 4.5, in white or black. One of the two always has at least 4.58, so this needs no check; a test
 * covers it.
 */
function tooLight(color: string) {
  const found = (Math.floor(contrast(color, white) * 100) / 100).toFixed(2)
  return InvalidFields({
    message:
      `accent needs a contrast of at least ${minContrastOnPage}:1 on white, and 4.5:1 to white or black text on it; ` +
      `${color} has ${found}:1 on white. Choose a darker colour`,
    errors: ['accent']
  })
}
