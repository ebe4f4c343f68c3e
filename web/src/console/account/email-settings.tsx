import type { BodyOf, DataOf } from '@deskline/client'
import { post, queryClient } from '../../app/api-client.ts'
import { queryKeyOf, useApiQuery } from '../../app/api-queries.ts'
import { QueryState } from '../../app/query-state.tsx'
import { t } from '../../lib/strings.ts'
import { SwitchRow } from '../admin/setting-row.tsx'
import styles from '../admin/settings.module.css'

const path = '/api/account/notifications'
type Chosen = Extract<DataOf<typeof path>, { assignment_emails: unknown }>

/** Of what one hears by e-mail. */
export function EmailSettings() {
  const emails = useApiQuery(path, {})
  return (
    <QueryState query={emails}>
      {data => {
        const chosen = data as Chosen
        const rows = [
          ['assignment_emails', t('admin.emailAssigned')],
          ['mention_emails', t('admin.emailMentioned')],
          ['customer_reply_emails', t('admin.emailReplied')]
        ] as const
        return (
          <div className={styles.card}>
            {rows.map(([name, title]) => (
              <SwitchRow
                key={name}
                title={title}
                isOn={chosen[name] === 1}
                onChange={isOn => choose({ [name]: isOn ? 1 : 0 })}
              />
            ))}
          </div>
        )
      }}
    </QueryState>
  )
}

async function choose(changes: BodyOf<typeof path>): Promise<void> {
  const data = await post(path, changes)
  queryClient.setQueryData(queryKeyOf(path), data)
}
