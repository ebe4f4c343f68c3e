/** How often a tab that is seen asks whether the leading one still answers. */
const askMilliseconds = 15_000
/** A leader that takes longer is frozen: its lock is taken from it. */
const answerMilliseconds = 3_000

interface Work<Message> {
  /** Runs in the elected tab until the signal is aborted. What it tells is heard in all tabs, its own included. */
  lead(tell: (message: Message) => void, signal: AbortSignal): Promise<void>
  /** What the elected tab tells at its election, and to each tab that asks. */
  greeting(): Message
  hear(message: Message): void
}

type Said<Message> = { from: string } & ({ kind: 'question' } | { kind: 'greeting' | 'told'; message: Message })

/**
 * Of all tabs of this browser that share a name, one works for all; when it is closed or frozen, the next one takes over. Without locks (a page
 * without TLS) each visible tab works for itself. Returns the function that leaves.
 */
export function electTab<Message>(name: string, work: Work<Message>): () => void {
  const hasLocks = 'locks' in navigator
  const over = new AbortController()
  let membership: AbortController | undefined

  const leave = () => {
    membership?.abort()
    membership = undefined
  }
  const join = () => {
    if (membership || (!hasLocks && document.hidden)) return
    membership = new AbortController()
    if (hasLocks) shareWork(name, work, membership.signal)
    else void work.lead(work.hear, membership.signal)
  }
  const { signal } = over
  // A page that is frozen, or kept for the way back, would hold the lock and do nothing.
  addEventListener('pagehide', leave, { signal })
  addEventListener('pageshow', join, { signal })
  document.addEventListener('freeze', leave, { signal })
  document.addEventListener('resume', join, { signal })
  if (!hasLocks) document.addEventListener('visibilitychange', () => (document.hidden ? leave() : join()), { signal })
  join()
  return () => {
    over.abort()
    leave()
  }
}

function shareWork<Message>(name: string, { lead, greeting, hear }: Work<Message>, signal: AbortSignal): void {
  const self = crypto.randomUUID()
  const channel = new BroadcastChannel(name)
  let leader: string | undefined
  /** Aborted to give up a turn, or the wait for it. */
  let turn = new AbortController()
  let isStealing = false
  let patience: ReturnType<typeof setTimeout> | undefined

  const say = (said: Said<Message>) => channel.postMessage(said)
  const greet = () => say({ from: self, kind: 'greeting', message: greeting() })

  channel.addEventListener('message', ({ data }: MessageEvent<Said<Message>>) => {
    if (data.kind === 'question') {
      if (leader === self) greet()
      return
    }
    if (data.kind === 'greeting') {
      leader = data.from
      clearTimeout(patience)
    }
    // A former leader may not know yet that another tab has taken its place.
    if (data.from === leader) hear(data.message)
  })

  /** Asks the leader for its greeting. */
  const ask = () => {
    if (leader === self || document.hidden) return
    say({ from: self, kind: 'question' })
    clearTimeout(patience)
    patience = setTimeout(() => {
      isStealing = !document.hidden
      if (isStealing) turn.abort()
    }, answerMilliseconds)
  }

  async function takeTurns(): Promise<void> {
    while (!signal.aborted) {
      turn = new AbortController()
      const turnSignal = AbortSignal.any([signal, turn.signal])
      const options: LockOptions = isStealing ? { steal: true } : { signal: turnSignal }
      isStealing = false
      // Refused when another tab has taken the lock, when this one stops waiting in order to take it, and at the end.
      await navigator.locks.request(name, options, () => leadUntil(turnSignal)).catch(() => {})
      turn.abort()
    }
  }

  async function leadUntil(turnSignal: AbortSignal): Promise<void> {
    clearTimeout(patience)
    leader = self
    greet()
    const tell = (message: Message) => {
      if (turnSignal.aborted) return
      say({ from: self, kind: 'told', message })
      hear(message)
    }
    await lead(tell, turnSignal)
    if (leader === self) leader = undefined
  }

  const timer = setInterval(ask, askMilliseconds)
  document.addEventListener('visibilitychange', ask, { signal })
  signal.addEventListener('abort', () => {
    clearInterval(timer)
    clearTimeout(patience)
    channel.close()
  })
  ask()
  void takeTurns()
}
