import { t } from '../../lib/strings.ts'
import { Link } from '../navigation.ts'
import styles from './knowledge.module.css'
import type { Effect } from './knowledge-base.ts'

/** What a change of audience or place makes visible to more or fewer people, and the tickets that link it. */
export function EffectText({ effect: { more_visible, less_visible, articles, tickets } }: { effect: Effect }) {
  const count = more_visible + less_visible
  if (count === 0) return <p>{t('knowledge.noEffect')}</p>
  return (
    <div className={styles.effect}>
      {more_visible > 0 && <p>{t('knowledge.moreVisible', { count: more_visible })}</p>}
      {less_visible > 0 && <p>{t('knowledge.lessVisible', { count: less_visible })}</p>}
      <ul>
        {articles.map(({ id, title, before, after }) => (
          <li key={id}>
            <bdi>{title}</bdi>
            <span className="muted">
              {' '}
              {t('knowledge.fromTo', {
                before: t(`knowledge.audience.${before}`),
                after: t(`knowledge.audience.${after}`)
              })}
            </span>
          </li>
        ))}
      </ul>
      {tickets.length > 0 && (
        <>
          <p>{t('knowledge.linkedIn', { count: tickets.length })}</p>
          <ul>
            {tickets.map(({ id, ticket_number, subject }) => (
              <li key={id}>
                <Link
                  to="/$view/$ticket"
                  params={{ view: 'all', ticket: ticket_number }}
                  className="link"
                  target="_blank"
                >
                  <span className="num">{ticket_number}</span> <bdi>{subject}</bdi>
                </Link>
              </li>
            ))}
          </ul>
        </>
      )}
    </div>
  )
}
