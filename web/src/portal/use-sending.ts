import type { Progress } from '@deskline/client'
import { useRef, useState } from 'react'
import { SendCancelled, sendWhenOnline } from '../app/queued-sends.ts'

interface SendOptions {
  signal: AbortSignal
  onProgress(progress: Progress): void
}

type State =
  | { kind: 'idle' }
  /** Offline; it is sent once online. */
  | { kind: 'waiting' }
  /** The progress from 0 to 1. */
  | { kind: 'sending'; share: number }
  | { kind: 'failed'; error: unknown }

/** Sends the content of a form, one send at a time. While offline it waits under this `label`, and can be cancelled. */
export function useSending(label: string, work: (options: SendOptions) => Promise<void>) {
  const [state, setState] = useState<State>({ kind: 'idle' })
  const running = useRef<AbortController>(undefined)

  async function send(): Promise<void> {
    if (running.current) return
    running.current = new AbortController()
    const { signal } = running.current
    setState({ kind: navigator.onLine ? 'sending' : 'waiting', share: 0 })
    try {
      await sendWhenOnline(label, async () => {
        setState({ kind: 'sending', share: 0 })
        const onProgress = ({ loaded, total }: Progress) => setState({ kind: 'sending', share: loaded / (total || 1) })
        await work({ signal, onProgress })
      })
      setState({ kind: 'idle' })
    } catch (error) {
      const isWanted = signal.aborted || error instanceof SendCancelled
      setState(isWanted ? { kind: 'idle' } : { kind: 'failed', error })
    } finally {
      running.current = undefined
    }
  }

  return { state, send, cancel: () => running.current?.abort() }
}

export type Sending = ReturnType<typeof useSending>
