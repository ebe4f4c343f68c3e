import { t } from '../../lib/strings.ts'
import { Avatar } from '../../ui/avatar.tsx'
import styles from './thread-head.module.css'
import type { PresentColleague } from './use-ticket-presence.ts'

/** Who else is viewing this ticket or replying to it. Screen readers do not announce changes. */
export function PresenceLine({ others }: { others: PresentColleague[] }) {
  const first = others.find(({ state }) => state === 'replying') ?? others[0]
  if (!first) return null
  const name = first.name.split(' ')[0]!
  const rest = others.length - 1
  const text =
    first.state === 'replying' ? t('thread.isReplying', { name, rest }) : t('thread.isViewing', { name, rest })
  return (
    <span className={styles.presence} data-presence={first.state} title={text}>
      {others.slice(0, 3).map(({ id, name }) => (
        <Avatar key={id} person={{ id, name, kind: 'staff' }} size={22} />
      ))}
      <span className={styles.presenceText}>{text}</span>
    </span>
  )
}
