import { lazyPart } from '../../app/lazy-part.ts'
import { loadStrings } from '../../lib/strings.ts'

// What rules did on a ticket: few look at it, so that its code is loaded with the first look.

async function load() {
  const [parts] = await Promise.all([
    import('../admin/rules/ticket-automation.tsx'),
    loadStrings('definition', 'actions', 'rules')
  ])
  return parts
}

export const WhyRule = lazyPart(async () => ({ default: (await load()).WhyRule }))

export const AutomationDialog = lazyPart(async () => ({ default: (await load()).AutomationDialog }))
