import { lazyPart } from '../../app/lazy-part.ts'
import { loadStrings } from '../../lib/strings.ts'

/** Few e-mails come back, so that what can be done then is loaded with the first that did. */
export const BouncedActions = lazyPart(async () => {
  const [{ BouncedActions }] = await Promise.all([import('./bounced-actions.tsx'), loadStrings('mail')])
  return { default: BouncedActions }
})
