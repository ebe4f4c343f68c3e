import { lazyPart } from '../../app/lazy-part.ts'
import { loadStrings } from '../../lib/strings.ts'

/** The rows of recipients. They are loaded when somebody opens them. */
export const RecipientRows = lazyPart(async () => {
  const [{ RecipientRows }] = await Promise.all([import('./recipient-rows.tsx'), loadStrings('recipients')])
  return { default: RecipientRows }
})

/** What reaches whom. It is loaded when somebody asks. */
export const ReachPanel = lazyPart(async () => {
  const [{ ReachPanel }] = await Promise.all([import('./reach-panel.tsx'), loadStrings('recipients')])
  return { default: ReachPanel }
})

/** What stands below the e-mail. It is loaded when there is a text. */
export const SignatureLine = lazyPart(async () => {
  const [{ SignatureLine }] = await Promise.all([import('./signature-line.tsx'), loadStrings('recipients')])
  return { default: SignatureLine }
})
