/** Blocks navigation while there is something on the page that would be lost. */
export interface NavigationBlocker {
  isOn(): boolean
  /** Asks the person; resolves to whether to leave. */
  ask(): Promise<boolean>
}

export const blockers = new Set<NavigationBlocker>()
/** The next `popstate` is caused here: `stay` goes back to the page while it asks, `go` leaves after all. */
let ownStep: 'stay' | 'go' | undefined

addEventListener('beforeunload', event => {
  if (isAnyOn()) event.preventDefault()
})

/** Asks each active blocker; false as soon as one refuses. */
export async function mayLeave(): Promise<boolean> {
  for (const blocker of blockers) if (blocker.isOn() && !(await blocker.ask())) return false
  return true
}

/** The same for steps in the history, which the browser has already made: they are reverted while the blockers ask. */
export async function mayGoInHistory(steps: number): Promise<boolean> {
  if (ownStep) {
    const goes = ownStep === 'go'
    ownStep = undefined
    return goes
  }
  if (!isAnyOn()) return true
  ownStep = 'stay'
  history.go(-steps)
  if (await mayLeave()) {
    ownStep = 'go'
    history.go(steps)
  }
  return false
}

function isAnyOn(): boolean {
  return [...blockers].some(({ isOn }) => isOn())
}
