import { useState } from 'react'
import { queryClient } from '../../app/api-client.ts'
import { queryKeyOf, useApiQuery } from '../../app/api-queries.ts'
import { LanguageChoice, ThemeChoice } from '../../app/appearance-choice.tsx'
import { failureText } from '../../app/failures.ts'
import { QueryState } from '../../app/query-state.tsx'
import { useApiMutation } from '../../app/use-api-mutation.ts'
import { t } from '../../lib/strings.ts'
import { announce } from '../../ui/announce.ts'
import { Switch } from '../../ui/form-controls.tsx'
import { toast } from '../../ui/toast.tsx'
import styles from './account.module.css'
import { AccountPage, Section } from './account-page.tsx'

const path = '/api/account/notifications'

/** The e-mails that this person gets, and the theme of this browser. */
export function EmailsPage() {
  return (
    <AccountPage label="account.emails">
      <Section title={t('account.emails')}>
        <TicketEmails />
      </Section>
      <Section title={t('portal-account.appearance')} lede={t('portal-account.appearanceText')}>
        <div className={styles.choice}>
          <ThemeChoice />
        </div>
        <div className={styles.choice}>
          <LanguageChoice />
        </div>
      </Section>
    </AccountPage>
  )
}

function TicketEmails() {
  const notifications = useApiQuery(path, {})
  const [isSaved, setIsSaved] = useState(false)
  const choosing = useApiMutation(path, {
    onSuccess(data) {
      queryClient.setQueryData(queryKeyOf(path, {}), data)
      setIsSaved(true)
      setTimeout(() => setIsSaved(false), 2000)
      announce(t('account.saved'))
    },
    onError: error => toast({ text: failureText(error), tone: 'bad' })
  })
  return (
    <QueryState query={notifications}>
      {chosen => {
        if (!('ticket_emails' in chosen)) return null
        // Switches take effect at once; if the service refuses, they are reset.
        const { ticket_emails, automatic_emails, rating_emails } = {
          ...chosen,
          ...(choosing.isPending ? choosing.variables : {})
        }
        const [changed] = Object.keys(choosing.variables ?? {})
        return (
          <>
            <Switch
              label={t('portal-account.aboutTickets')}
              hint={t('portal-account.aboutTicketsText')}
              checked={ticket_emails === 1}
              saved={isSaved && changed === 'ticket_emails'}
              onChange={isWanted => choosing.mutate({ ticket_emails: isWanted ? 1 : 0 })}
            />
            {ticket_emails === 1 && (
              <Switch
                label={t('portal-account.automaticEmails')}
                hint={t('portal-account.automaticEmailsText')}
                checked={automatic_emails === 1}
                saved={isSaved && changed === 'automatic_emails'}
                onChange={isWanted => choosing.mutate({ automatic_emails: isWanted ? 1 : 0 })}
              />
            )}
            {ticket_emails === 1 && automatic_emails === 1 && (
              <Switch
                label={t('portal-account.ratingEmails')}
                hint={t('portal-account.ratingEmailsText')}
                checked={rating_emails === 1}
                saved={isSaved && changed === 'rating_emails'}
                onChange={isWanted => choosing.mutate({ rating_emails: isWanted ? 1 : 0 })}
              />
            )}
          </>
        )
      }}
    </QueryState>
  )
}
