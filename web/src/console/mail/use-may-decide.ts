import { useMe } from '../../app/me.ts'

/** Whether they may release and discard, beyond looking at it. */
export function useMayDecide(): boolean {
  return useMe().can('tickets.edit_status')
}
