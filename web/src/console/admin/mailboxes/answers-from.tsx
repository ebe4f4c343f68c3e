import { useApiQuery } from '../../../app/api-queries.ts'
import { t } from '../../../lib/strings.ts'
import { SelectRow } from '../setting-row.tsx'
import settings from '../settings.module.css'
import styles from './mailboxes.module.css'
import { type Mailbox, saveMailbox } from './mailboxes.ts'

/** The address from which each department with connected ones answers, unless the client wrote to another. */
export function AnswersFrom({ mailboxes }: { mailboxes: Mailbox[] }) {
  const departments = useApiQuery('/api/departments', {}).data?.departments ?? []
  const withMailboxes = departments.filter(({ deptid }) => mailboxes.some(each => each.deptid === deptid))
  if (withMailboxes.length === 0) return null
  return (
    <section className={settings.card} aria-label={t('mailboxes.answersFrom')}>
      <div className={styles.head}>
        <h2>{t('mailboxes.answersFrom')}</h2>
        <span className="t2">{t('mailboxes.unlessAnother')}</span>
      </div>
      {withMailboxes.map(({ deptid, name }) => {
        const own = mailboxes.filter(each => each.deptid === deptid)
        const chosen = own.find(({ is_default }) => is_default)
        return (
          <SelectRow
            key={deptid}
            title={name}
            value={chosen ? String(chosen.id) : ''}
            options={[
              ...(chosen ? [] : [{ value: '', label: t('mailboxes.notChosen') }]),
              ...own.map(({ id, address }) => ({ value: String(id), label: address }))
            ]}
            onChange={async id => {
              if (id) await saveMailbox(Number(id), { is_default: 1 })
            }}
          />
        )
      })}
    </section>
  )
}
