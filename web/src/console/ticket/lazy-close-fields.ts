import { lazyPart } from '../../app/lazy-part.ts'
import { loadStrings } from '../../lib/strings.ts'

/** Why fields are asked. It is loaded when somebody wants to know. */
export const WhyAsked = lazyPart(async () => {
  const [{ WhyAsked }] = await Promise.all([import('./why-asked.tsx'), loadStrings('close-fields')])
  return { default: WhyAsked }
})

/** The panel that asks for what closing needs. It is loaded when it is needed first. */
export const CloseFields = lazyPart(async () => {
  const [{ CloseFields }] = await Promise.all([import('./close-fields.tsx'), loadStrings('close-fields')])
  return { default: CloseFields }
})
