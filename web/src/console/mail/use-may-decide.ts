import { useMe } from '../../app/me.ts'

/** Whether the signed-in person may release and discard held e-mails, not only view them. */
export function useMayDecide(): boolean {
  return useMe().can('tickets.edit_status')
}
