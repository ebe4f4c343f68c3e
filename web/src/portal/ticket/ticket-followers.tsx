import type { DataOf } from '@deskline/client'
import { X } from 'lucide-react'
import { useId, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { queryClient } from '../../app/api-client.ts'
import { queryKeyOf, useApiQuery } from '../../app/api-queries.ts'
import { failureText, hasReason } from '../../app/failures.ts'
import { useApiMutation } from '../../app/use-api-mutation.ts'
import { t } from '../../lib/strings.ts'
import { announce } from '../../ui/announce.ts'
import { IconButton } from '../../ui/button.tsx'
import { ConfirmDialog } from '../../ui/dialog.tsx'
import styles from './ticket-followers.module.css'

const path = '/api/tickets/followers/list'
type Follower = DataOf<typeof path>['followers'][number]

/** The people who get the replies of the ticket by e-mail. The client can remove them; they are added by being copied on an e-mail. */
export function TicketFollowers({ id }: { id: number }) {
  const { data } = useApiQuery(path, { id })
  const [asked, setAsked] = useState<Follower>()
  const heading = useRef<HTMLHeadingElement>(null)
  const headingId = useId()
  const removing = useApiMutation('/api/tickets/followers/remove', {
    onSuccess(data) {
      queryClient.setQueryData(queryKeyOf(path, { id }), data)
      done(t('portal-ticket.followerRemoved', { person: asked ? nameOf(asked) : '' }))
    },
    onError(error) {
      // Somebody else has removed the follower already.
      if (!hasReason(error, 'follower_not_found')) return
      void queryClient.invalidateQueries({ queryKey: queryKeyOf(path, { id }) })
      done(t('portal-ticket.followerRemoved', { person: asked ? nameOf(asked) : '' }))
    }
  })

  function done(words: string) {
    // An announcement within the dialog would be removed with it.
    flushSync(() => setAsked(undefined))
    announce(words)
    // The focused button has been removed.
    requestAnimationFrame(() => heading.current?.focus())
  }

  const followers = data?.followers ?? []
  if (followers.length === 0 && !asked) return null
  return (
    <section className={`card ${styles.followers}`} aria-labelledby={headingId}>
      <h2 id={headingId} ref={heading} tabIndex={-1}>
        {t('portal-ticket.followers')}
      </h2>
      <ul>
        {followers.map(follower => (
          <li key={follower.id}>
            <span className={styles.person}>
              <bdi>{nameOf(follower)}</bdi>
              {follower.name && <bdi className={styles.email}>{follower.email}</bdi>}
            </span>
            <IconButton
              icon={X}
              label={t('portal-ticket.removeFollower', { person: nameOf(follower) })}
              onClick={() => {
                removing.reset()
                setAsked(follower)
              }}
            />
          </li>
        ))}
      </ul>
      <p className={styles.hint}>{t('portal-ticket.followersHint')}</p>
      {asked && (
        <ConfirmDialog
          title={t('portal-ticket.removeFollowerTitle', { person: nameOf(asked) })}
          text={t('portal-ticket.removeFollowerText')}
          confirmLabel={t('portal-ticket.removeFollowerConfirm')}
          keepLabel={t('portal-ticket.keepFollower')}
          busy={removing.isPending}
          error={removing.error && failureText(removing.error)}
          onConfirm={() => removing.mutate({ id, follower_id: asked.id })}
          onClose={() => setAsked(undefined)}
        />
      )}
    </section>
  )
}

function nameOf({ name, email }: Follower): string {
  return name || email
}
