import { useEffect, useState } from 'react'

/**
 * The ids of the tickets for which this account (`staff:7`) has a draft in this browser, also one of a note; none as long as `account` is undefined. It
 * follows drafts in other tabs.
 */
export function useDraftedTickets(account: string | undefined): ReadonlySet<number> {
  const [drafted, setDrafted] = useState<ReadonlySet<number>>(new Set())
  useEffect(() => {
    if (account === undefined) return
    let stop = () => {}
    let isOver = false
    async function follow(account: string) {
      // The list does not wait for the drafts, so their code is a file of its own.
      const { draftsOf, watchDrafts } = await import('../lib/drafts.ts')
      if (isOver) return
      const read = async () => {
        const keys = await draftsOf(account).catch(() => [])
        const ids = keys.map(key => Number(key.split('/')[1])).filter(Number.isInteger)
        if (isOver) return
        setDrafted(known => (ids.length === known.size && ids.every(id => known.has(id)) ? known : new Set(ids)))
      }
      stop = watchDrafts(() => void read())
      await read()
    }
    // Without this code the list shows no drafts.
    void follow(account).catch(() => {})
    return () => {
      isOver = true
      stop()
    }
  }, [account])
  return drafted
}
