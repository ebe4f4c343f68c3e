import { lazyPart } from '../../app/lazy-part.ts'
import { loadStrings } from '../../lib/strings.ts'

/** The panel that asks for what closing needs. It is loaded when it is needed first. */
export const CloseFields = lazyPart(async () => {
  const [{ CloseFields }] = await Promise.all([import('./close-fields.tsx'), loadStrings('close-fields')])
  return { default: CloseFields }
})
