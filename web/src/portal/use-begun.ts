import { useEffect, useState } from 'react'
import { useMe } from '../app/me.ts'

/** The ids of the tickets in which an answer is begun and not sent, here or in another tab of this browser. */
export function useBegun(): ReadonlySet<number> {
  const account = `client:${useMe().id}`
  const [begun, setBegun] = useState<ReadonlySet<number>>(new Set())
  useEffect(() => {
    let stop = () => {}
    let isOver = false
    async function follow() {
      // The list does not wait for it.
      const { draftsOf, watchDrafts } = await import('../lib/drafts.ts')
      if (isOver) return
      const read = async () => {
        const keys = await draftsOf(account).catch(() => [])
        if (!isOver) setBegun(new Set(keys.map(ticketOf)))
      }
      stop = watchDrafts(() => void read())
      await read()
    }
    void follow().catch(() => {})
    return () => {
      isOver = true
      stop()
    }
  }, [account])
  return begun
}

function ticketOf(key: string): number {
  return Number(key.split('/')[1])
}
