import { useApiQuery } from '../../../app/api-queries.ts'
import { useMe } from '../../../app/me.ts'
import { t } from '../../../lib/strings.ts'
import { filledParts, placeholderValuesOf } from '../actions/placeholders.ts'
import styles from './macros.module.css'

/** The text as filled in for the ticket that was worked on last: by the service if it is saved, else here. */
export function Preview({ id, text, isSaved }: { id: number | undefined; text: string; isSaved: boolean }) {
  const me = useMe()
  const tickets = useApiQuery('/api/admin/tickets/list', { limit: 1 }, { retry: false })
  const ticket = tickets.data?.tickets[0]
  const isRendered = isSaved && id !== undefined && ticket !== undefined
  const rendered = useApiQuery(
    '/api/admin/macros/preview',
    { id: ticket?.id ?? 0, macro_id: id ?? 0 },
    { enabled: isRendered, retry: false }
  )
  if (!ticket || text.trim() === '') return null

  const [first_name = '', ...rest] = me.name.split(' ')
  const parts = filledParts(
    text,
    placeholderValuesOf(ticket, { first_name: me.firstName || first_name, last_name: rest.join(' ') })
  )
  const said = isRendered ? rendered.data?.reply?.text : undefined
  const isOther = said !== undefined && said !== parts.map(({ text }) => text).join('')
  const shown = isOther ? [{ text: said, isFilled: false }] : parts
  return (
    <section className={styles.preview} aria-label={t('admin.preview')}>
      <h3>{t('admin.readsIn', { number: ticket.ticket_number })}</h3>
      <p dir="auto">
        {shown.map(({ text, isFilled }, at) =>
          isFilled ? (
            // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text have no other name than their place.
            <b key={at}>{text}</b>
          ) : (
            text
          )
        )}
      </p>
    </section>
  )
}
