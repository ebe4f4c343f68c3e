/** Something on the page that would be lost, and who asks whether it may be. */
export interface NavigationBlocker {
  isOn(): boolean
  /** Answers whether one goes. */
  ask(): Promise<boolean>
}

export const blockers = new Set<NavigationBlocker>()
/** What the next step in the history is for: to stand where one stood while one is asked, or to go after all. */
let ownStep: 'stay' | 'go' | undefined

addEventListener('beforeunload', event => {
  if (isAnyOn()) event.preventDefault()
})

/** Asks whoever would lose something. */
export async function mayLeave(): Promise<boolean> {
  for (const blocker of blockers) if (blocker.isOn() && !(await blocker.ask())) return false
  return true
}

/** The same when the browser has gone back or on by so many steps already: it is brought back for the question. */
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
