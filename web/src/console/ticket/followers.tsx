import { Plus, X } from 'lucide-react'
import { useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { deliveryReasonText } from '../../app/delivery-reasons.ts'
import { t } from '../../lib/strings.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { removeFollower } from './change-followers.ts'
import { FollowerForm } from './follower-form.tsx'
import styles from './followers.module.css'
import { useRights } from './properties.tsx'
import type { Detail } from './thread-types.ts'

/** The people who get the replies besides the client. Staff who may reply add and remove them. */
export function Followers({ detail }: { detail: Detail }) {
  const { ticket, followers } = detail
  const { mayReply } = useRights(ticket)
  const [isAdding, setAdding] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  if (!mayReply && followers.length === 0) return null

  // What had the focus is gone, or goes soon.
  const toButton = () => button.current?.focus()

  return (
    <section className={styles.followers}>
      <h3>{t('thread.followers')}</h3>
      {followers.length > 0 && (
        <ul>
          {followers.map(follower => (
            <li key={follower.id}>
              <div className={styles.person}>
                <bdi>{follower.name || follower.email}</bdi>
                {follower.name && <bdi className={styles.email}>{follower.email}</bdi>}
                {isUnproven(follower) && <p className={styles.unproven}>{t('thread.followerUnproven')}</p>}
                {follower.undeliverable && (
                  <p className={styles.bounced}>
                    {t('thread.notDelivered', {
                      reason: deliveryReasonText(follower.undeliverable_code, follower.undeliverable)
                    })}
                  </p>
                )}
              </div>
              {mayReply && (
                <IconButton
                  icon={X}
                  label={t('thread.removeFollower', { person: follower.name || follower.email })}
                  onClick={async () => {
                    if (await removeFollower(ticket, follower)) toButton()
                  }}
                />
              )}
            </li>
          ))}
        </ul>
      )}
      {mayReply && isAdding && (
        <FollowerForm
          ticket={ticket}
          onClose={() => {
            flushSync(() => setAdding(false))
            toButton()
          }}
        />
      )}
      {mayReply && !isAdding && (
        <Button ref={button} size="sm" variant="quiet" icon={Plus} onClick={() => setAdding(true)}>
          {t('thread.addFollower')}
        </Button>
      )}
    </section>
  )
}

/** The follower was added by an e-mail whose sender is not verified. */
function isUnproven({ sender_verdict }: Detail['followers'][number]): boolean {
  return sender_verdict !== null && sender_verdict !== 'pass'
}
