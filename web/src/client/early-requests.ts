import type { BodyOf, PostPath } from '@deskline/client'
import { client } from './client.ts'

/** After this time the answer is not used any more. */
const validMilliseconds = 20_000

type Answer = Promise<{ data: unknown }>

const requests = new Map<string, { answer: Answer; askedAt: number }>()
const taken = new Set<string>()
let reload: ((path: string) => void) | undefined

/** Requests what a page will need first, while its code is still being loaded. */
export function requestEarly<P extends PostPath>(path: P, body: BodyOf<P>): void {
  const answer = (client.POST as Send)(path, { body })
  // Whoever takes the answer is told of the failure.
  answer.catch(() => {})
  requests.set(keyOf(path, body), { answer, askedAt: performance.now() })
}

/** The answer to an early request, for the first who asks the same. */
export function takeEarly(path: string, body: unknown): Answer | undefined {
  const key = keyOf(path, body)
  const early = requests.get(key)
  requests.delete(key)
  if (!early || performance.now() - early.askedAt > validMilliseconds) return undefined
  // Not before the answer is shown.
  const told = () => setTimeout(() => (reload ? reload(path) : taken.add(path)))
  early.answer.then(told, told)
  return early.answer
}

/** Events are told from now on. Early answers may lack the last ones before: each is loaded again once it is shown. */
export function reloadEarlyAnswers(again: (path: string) => void): void {
  reload = again
  for (const path of taken) again(path)
  taken.clear()
}

/** What was requested for one person is not for the next. */
export function forgetEarlyRequests(): void {
  requests.clear()
}

function keyOf(path: string, body: unknown): string {
  return `${path} ${JSON.stringify(body ?? {})}`
}

/** The client's types of a path that is not known yet are too many for the compiler. */
type Send = (path: string, init: object) => Answer
