import { lazyPart } from '../../app/lazy-part.ts'
import { loadStrings } from '../../lib/strings.ts'

// What rules did on a ticket: few look at it, so that its code is loaded with the first look.

const strings = () => loadStrings('definition', 'actions', 'rules')

export const WhyRule = lazyPart(async () => {
  const [{ WhyRule }] = await Promise.all([import('../admin/rules/ticket-automation.tsx'), strings()])
  return { default: WhyRule }
})

export const AutomationDialog = lazyPart(async () => {
  const [{ AutomationDialog }] = await Promise.all([import('../admin/rules/ticket-automation.tsx'), strings()])
  return { default: AutomationDialog }
})
