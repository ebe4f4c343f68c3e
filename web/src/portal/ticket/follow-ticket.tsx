import { useApiMutation } from '../../app/use-api-mutation.ts'
import { nameOf } from '../../lib/person-name.ts'
import { loadStrings, t } from '../../lib/strings.ts'
import { Switch } from '../../ui/form-controls.tsx'

await loadStrings('portal-organisation')

interface FollowTicketProps {
  id: number
  client: { first_name: string; last_name: string }
  isFollowing: boolean
}

/** Whether a manager gets the e-mails about the ticket of a colleague. */
export function FollowTicket({ id, client, isFollowing }: FollowTicketProps) {
  const follow = useApiMutation('/api/tickets/follow', { changes: ['/api/tickets/detail'] })
  return (
    <Switch
      label={t('portal-organisation.follow')}
      hint={t('portal-organisation.openedBy', { name: nameOf(client) })}
      checked={isFollowing}
      disabled={follow.isPending}
      onChange={on => follow.mutate({ id, is_following: on ? 1 : 0 })}
    />
  )
}
