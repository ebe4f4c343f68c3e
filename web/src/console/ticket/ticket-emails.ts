import { lazyPart } from '../../app/lazy-part.ts'
import { loadStrings } from '../../lib/strings.ts'

/** Few look at the e-mails of a ticket, so that the code is loaded with the first look. */
export const TicketEmails = lazyPart(async () => {
  const [{ TicketEmails }] = await Promise.all([
    import('../mail-log/ticket-emails.tsx'),
    loadStrings('mail', 'held', 'authentication', 'delivery')
  ])
  return { default: TicketEmails }
})
