import type { PresentColleague } from '../../app/event-stream.ts'
import { type Key, t } from '../../lib/strings.ts'
import { Avatar } from '../../ui/avatar.tsx'
import styles from './presence-line.module.css'

interface PresenceLineProps {
  others: PresentColleague[]
  viewing: Key
  typing: Key
}

/** Who else is viewing this ticket or article, replying to it, or writing it. Screen readers do not announce changes. */
export function PresenceLine({ others, viewing, typing }: PresenceLineProps) {
  const first = others.find(({ state }) => state !== 'viewing') ?? others[0]
  if (!first) return null
  const name = first.name.split(' ')[0]!
  const text = t(first.state === 'viewing' ? viewing : typing, { name, rest: others.length - 1 })
  return (
    <span className={styles.presence} data-presence={first.state} title={text}>
      {others.slice(0, 3).map(({ id, name }) => (
        <Avatar key={id} person={{ id, name, kind: 'staff' }} size={22} />
      ))}
      <span className={styles.text}>{text}</span>
    </span>
  )
}
