import { useMemo, useState } from 'react'
import type { HeldMail } from '../mail-log/held-mail.ts'

export interface HeldSelection {
  ids: ReadonlySet<number>
  toggle(id: number): void
  set(ids: readonly number[]): void
}

/** The selected e-mails. Those that are no longer shown are not selected. */
export function useHeldSelection(rows: readonly HeldMail[]): HeldSelection {
  const [chosen, setChosen] = useState<ReadonlySet<number>>(new Set())
  const ids = useMemo(() => new Set(rows.map(({ id }) => id).filter(id => chosen.has(id))), [rows, chosen])
  return {
    ids,
    toggle: id => setChosen(new Set(ids.has(id) ? [...ids].filter(each => each !== id) : [...ids, id])),
    set: ids => setChosen(new Set(ids))
  }
}
