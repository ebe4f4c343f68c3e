import { setTimeout as pause } from 'node:timers/promises'
import { rawRequest } from './raw-request.ts'
import { quantile } from './statistics.ts'

const senders = 4
const restMilliseconds = 100

/**
 * How much longer requests take, by the 95th percentile, while something else is going on than before it: four people who each ask for the next thing
 * a moment after they have the last one. Without that moment they would fill the process before anything else goes on.
 */
export async function slowdownWhile(
  port: number,
  requests: readonly Buffer[],
  milliseconds: number,
  work: () => Promise<void>
): Promise<number> {
  await asked(port, requests, milliseconds)
  const before = await asked(port, requests, milliseconds)
  const end = new AbortController()
  const during = asked(port, requests, Number.POSITIVE_INFINITY, end.signal)
  try {
    await work()
  } finally {
    end.abort()
  }
  return (await during) / before
}

/** The 95th percentile of the times of these requests, in milliseconds. */
async function asked(
  port: number,
  requests: readonly Buffer[],
  milliseconds: number,
  signal?: AbortSignal
): Promise<number> {
  const times: number[] = []
  const endsAt = performance.now() + milliseconds
  const ask = async (sender: number) => {
    for (let at = sender; performance.now() < endsAt && !signal?.aborted; at++) {
      const startedAt = performance.now()
      const { status, answer } = await rawRequest(port, requests[at % requests.length]!)
      if (status >= 400) throw new Error(`A request was answered ${status}: ${answer}`)
      times.push(performance.now() - startedAt)
      await pause(restMilliseconds)
    }
  }
  await Promise.all(Array.from({ length: senders }, (_, sender) => ask(sender)))
  return quantile(
    times.toSorted((one, other) => one - other),
    0.95
  )
}
