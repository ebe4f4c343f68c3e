import { useEffect, useState } from 'react'
import { useMe } from '../app/me.ts'
import { draftKey, draftsOf, watchDrafts } from '../lib/drafts.ts'

/** The ids of the tickets in which an answer is begun and not sent, here or in another tab of this browser. */
export function useBegun(): ReadonlySet<number> {
  const account = `client:${useMe().id}`
  const [begun, setBegun] = useState<ReadonlySet<number>>(new Set())
  useEffect(() => {
    let isOver = false
    async function read() {
      const keys = await draftsOf(account).catch(() => [])
      if (!isOver) setBegun(new Set(keys.map(ticketOf)))
    }
    void read()
    const stop = watchDrafts(() => void read())
    return () => {
      isOver = true
      stop()
    }
  }, [account])
  return begun
}

/** Where the answer to a ticket is kept until it is sent. */
export function answerKey(account: string, ticket: number): string {
  return draftKey(account, ticket, 'reply')
}

function ticketOf(key: string): number {
  return Number(key.split('/')[1])
}
