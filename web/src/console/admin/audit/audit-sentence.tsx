import { Children, type ReactNode } from 'react'
import { t } from '../../../lib/strings.ts'
import { Avatar } from '../../../ui/avatar.tsx'
import { actorText, ownerName } from '../../actor-text.ts'
import type { Target as Destination } from '../../addresses.ts'
import { Link } from '../../navigation.ts'
import { isEventKind } from '../event-kinds.ts'
import styles from './audit.module.css'
import type { AuditEntry } from './audit-entry.ts'

/** "Grace Hopper changed the status of TIC-104233", with a link to what it is about. */
export function AuditSentence({ entry }: { entry: AuditEntry }) {
  const { action, actor_type, actor_id } = entry
  const kind = actor_type === 'system' ? undefined : actor_type
  const who = (
    <span className={styles.who}>
      {kind && actor_id !== null && <Avatar person={{ id: actor_id, name: ownerName(entry), kind }} size={18} />}
      <bdi>{kind ? actorText(entry, 'audit.byToken') : t('audit.service')}</bdi>
    </span>
  )
  const words = isEventKind(action) ? t(`audit.did.${action}`, marks) : t('audit.did.other', { ...marks, action })
  return filledIn(words, { [marks.who]: who, [marks.what]: <Target entry={entry} /> })
}

/** Where in a sentence something stands that is more than text. */
const marks = { who: '\u0001', what: '\u0002' }

function filledIn(words: string, parts: Record<string, ReactNode>): ReactNode {
  return Children.toArray(words.split(/([\u0001\u0002])/).map(part => parts[part] ?? part))
}

/** What it is about by its name, as a link where it has a page and is still there. */
function Target({ entry: { target_type, target_id, target_name, before, after } }: { entry: AuditEntry }) {
  const former = { ...before, ...after } as { name?: unknown; title?: unknown; email?: unknown; url?: unknown }
  const known = [former.name, former.title, former.email, former.url].find(text => typeof text === 'string')
  const name = target_name ?? (typeof known === 'string' ? known : `${target_type} ${target_id ?? ''}`)
  const page = target_name === null ? undefined : pageOf(target_type, String(target_id), name)
  if (!page) return <bdi>{name}</bdi>
  return (
    <Link {...page} className={target_type === 'ticket' ? `link ${styles.number}` : 'link'}>
      <bdi>{name}</bdi>
    </Link>
  )
}

/** Where something is shown, by what it is. */
function pageOf(type: string, id: string, name: string): Destination | undefined {
  const pages: Record<string, Destination> = {
    ticket: { to: '/$view/$ticket', params: { view: 'all', ticket: name } },
    client: { to: '/clients/$id', params: { id } },
    staff: { to: '/staff/$staffId', params: { staffId: id } },
    webhook: { to: '/webhooks/$webhookId', params: { webhookId: id } },
    calendar: { to: '/hours/$calendarId', params: { calendarId: id } },
    sla_policy: { to: '/sla/$policyId', params: { policyId: id } },
    department: { to: '/departments' },
    tag: { to: '/tags' },
    canned_reply: { to: '/macros' },
    macro: { to: '/macros' }
  }
  return Object.hasOwn(pages, type) ? pages[type] : undefined
}
