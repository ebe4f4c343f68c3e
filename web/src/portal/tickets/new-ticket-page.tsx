import { Suspense, useRef } from 'react'
import { post } from '../../app/api-client.ts'
import { useApiQuery } from '../../app/api-queries.ts'
import { lazyPart } from '../../app/lazy-part.ts'
import { useMe } from '../../app/me.ts'
import { reloadQueries } from '../../app/reload-queries.ts'
import { useDraft } from '../../app/use-draft.ts'
import { draftKey } from '../../lib/drafts.ts'
import { t } from '../../lib/strings.ts'
import { announce } from '../../ui/announce.ts'
import { useNavigate } from '../navigation.ts'
import { PortalPage } from '../portal-page.tsx'
import { useSending } from '../use-sending.ts'
import { readIn } from './read-articles.ts'
import { sentText } from './sent-text.ts'
import { type Filled, TicketForm } from './ticket-form.tsx'
import { useGivenSubject } from './use-given-subject.ts'

/** Loaded separately, because most customers are in no organisation. */
const OrganisationNote = lazyPart(async () => ({ default: (await import('./organisation-note.tsx')).OrganisationNote }))

/** The page for a new ticket. The text is kept on this device until the ticket is sent. */
export function NewTicketPage() {
  const me = useMe()
  const navigate = useNavigate()
  const draft = useDraft(draftKey(`client:${me.id}`, 'new', 'ticket'))
  useGivenSubject(draft)
  const filled = useRef<Filled>(undefined)
  const organisation = useApiQuery('/api/account/organisation', { limit: 1 }).data?.organisation

  const sending = useSending(t('portal.newTicket'), async ({ signal, onProgress }) => {
    const { fields, files, sendKey } = filled.current!
    await draft.save()
    const read = readIn(draft.draft.fields)
    const { ticket_id, ticket_number } = await post('/api/tickets/create', fields, {
      files,
      signal,
      onProgress,
      idempotencyKey: sendKey,
      // The author waits at the page: a failure is shown soon, and the author decides whether to send again.
      tries: 1
    })
    // The ticket is there: whether staff learn this as well is no matter of its author.
    if (read.length > 0) void post('/api/kb/read', { ticket_id, article_ids: read }).catch(() => {})
    await draft.clear()
    void reloadQueries('/api/tickets/list')
    announce(sentText(me.profile, ticket_number))
    await navigate({ to: '/tickets/$number', params: { number: ticket_number }, state: { isNew: true } })
  })

  return (
    <PortalPage title={t('portal.newTicket')} lede={t('portal-ticket.newTicketLede')} width="slim">
      <TicketForm
        draft={draft}
        sending={sending}
        onSubmit={ticket => {
          filled.current = ticket
          void sending.send()
        }}
      >
        {organisation && (
          <Suspense>
            <OrganisationNote name={organisation.name} />
          </Suspense>
        )}
      </TicketForm>
    </PortalPage>
  )
}
