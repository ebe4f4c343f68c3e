import * as people from './0001-people.ts'
import * as sessions from './0002-sessions.ts'
import * as tickets from './0003-tickets.ts'
import * as letters from './0004-letters.ts'
import * as attachmentScans from './0005-attachment-scans.ts'
import * as desk from './0006-desk.ts'
import * as history from './0007-history.ts'
import * as accounts from './0008-accounts.ts'
import * as search from './0009-search.ts'
import * as notices from './0010-notices.ts'
import * as versions from './0011-versions.ts'
import * as ticketCounts from './0012-ticket-counts.ts'
import * as searchNewest from './0013-search-newest.ts'
import * as departmentMoves from './0014-department-moves.ts'
import * as departmentMoveIndexes from './0014b-department-move-indexes.ts'
import * as noteFiles from './0015-note-files.ts'
import * as waitingSince from './0015b-waiting-since.ts'
import * as waitingIndex from './0015c-waiting-index.ts'
import * as emailChanges from './0016-email-changes.ts'
import * as signInFailures from './0016b-sign-in-failures.ts'
import * as rateLimits from './0017-rate-limits.ts'
import * as whatIsLeftOfTheErased from './0018-what-is-left-of-the-erased.ts'
import * as sweepsAndTimes from './0018b-sweeps-and-times.ts'
import * as schemaCompatibility from './0020-schema-compatibility.ts'
import * as ticketCountsHeldBack from './0020b-ticket-counts-held-back.ts'
import * as installation from './0021-installation.ts'
import * as deskLogo from './0022-desk-logo.ts'
import * as events from './0023-events.ts'
import * as eventsOfClientsIndex from './0023b-events-of-clients-index.ts'
import * as rewrites from './0023c-rewrites.ts'
import * as idempotencyKeys from './0024-idempotency-keys.ts'
import * as eventStreams from './0025-event-streams.ts'
import * as webhooks from './0026-webhooks.ts'
import * as readMarksAndViews from './0027-read-marks-and-views.ts'
import * as ticketIndexes from './0028-ticket-indexes.ts'
import * as ticketCountsAtOnce from './0028b-ticket-counts.ts'
import * as searchPlaces from './0028c-search-places.ts'
import * as inboundMails from './0030-inbound-mails.ts'
import * as inboundMailFiles from './0030b-inbound-mail-files.ts'
import * as unanswered from './0032-unanswered-since.ts'
import * as unconfirmedTickets from './0033-unconfirmed-tickets.ts'
import * as mailboxes from './0034-mailboxes.ts'
import * as inboundMailsByWay from './0034b-inbound-mails-by-way.ts'
import * as mailAuthentication from './0035-mail-authentication.ts'
import * as heldMails from './0036-held-mails.ts'
import * as languagesAndEmailTemplates from './0038-languages-and-email-templates.ts'
import * as followers from './0039-followers.ts'
import * as sentEmailsLetter from './0039b-sent-emails-letter.ts'
import * as checksAndCounts from './0040-checks-and-counts.ts'
import * as checksOfClients from './0040b-checks-of-clients.ts'
import * as checksOfMessages from './0040c-checks-of-messages.ts'
import * as searchedMessages from './0041-searched-messages.ts'
import * as searchedMessagesIndex from './0041b-searched-messages-index.ts'
import * as forgottenWords from './0041c-forgotten-words.ts'
import * as followerVerdicts from './0043-follower-verdicts.ts'
import * as mailboxTokens from './0044-mailbox-tokens.ts'
import * as reasonsOfMailboxes from './0044b-reasons-of-mailboxes.ts'
import * as renewingMailboxTokens from './0044c-renewing-mailbox-tokens.ts'
import * as whatNewTicketsCost from './0045-what-new-tickets-cost.ts'
import * as messagesByTicket from './0045b-messages-by-ticket.ts'
import * as changesOfClientTickets from './0046-changes-of-client-tickets.ts'
import * as plainNames from './0047-plain-names.ts'
import type { Migration } from './migration.ts'

/** Every migration, in the order in which it runs. They go forward only and are never edited once released. */
export const migrations: Record<string, Migration> = {
  '0001-people': people,
  '0002-sessions': sessions,
  '0003-tickets': tickets,
  '0004-letters': letters,
  '0005-attachment-scans': attachmentScans,
  '0006-desk': desk,
  '0007-history': history,
  '0008-accounts': accounts,
  '0009-search': search,
  '0010-notices': notices,
  '0011-versions': versions,
  '0012-ticket-counts': ticketCounts,
  '0013-search-newest': searchNewest,
  '0014-department-moves': departmentMoves,
  '0014b-department-move-indexes': departmentMoveIndexes,
  '0015-note-files': noteFiles,
  '0015b-waiting-since': waitingSince,
  '0015c-waiting-index': waitingIndex,
  '0016-email-changes': emailChanges,
  '0016b-sign-in-failures': signInFailures,
  '0017-rate-limits': rateLimits,
  '0018-what-is-left-of-the-erased': whatIsLeftOfTheErased,
  '0018b-sweeps-and-times': sweepsAndTimes,
  '0020-schema-compatibility': schemaCompatibility,
  '0020b-ticket-counts-held-back': ticketCountsHeldBack,
  '0021-installation': installation,
  '0022-desk-logo': deskLogo,
  '0023-events': events,
  '0023b-events-of-clients-index': eventsOfClientsIndex,
  '0023c-rewrites': rewrites,
  '0024-idempotency-keys': idempotencyKeys,
  '0025-event-streams': eventStreams,
  '0026-webhooks': webhooks,
  '0027-read-marks-and-views': readMarksAndViews,
  '0028-ticket-indexes': ticketIndexes,
  '0028b-ticket-counts': ticketCountsAtOnce,
  '0028c-search-places': searchPlaces,
  '0030-inbound-mails': inboundMails,
  '0030b-inbound-mail-files': inboundMailFiles,
  '0032-unanswered-since': unanswered,
  '0033-unconfirmed-tickets': unconfirmedTickets,
  '0034-mailboxes': mailboxes,
  '0034b-inbound-mails-by-way': inboundMailsByWay,
  '0035-mail-authentication': mailAuthentication,
  '0036-held-mails': heldMails,
  '0038-languages-and-email-templates': languagesAndEmailTemplates,
  '0039-followers': followers,
  '0039b-sent-emails-letter': sentEmailsLetter,
  '0040-checks-and-counts': checksAndCounts,
  '0040b-checks-of-clients': checksOfClients,
  '0040c-checks-of-messages': checksOfMessages,
  '0041-searched-messages': searchedMessages,
  '0041b-searched-messages-index': searchedMessagesIndex,
  '0041c-forgotten-words': forgottenWords,
  '0043-follower-verdicts': followerVerdicts,
  '0044-mailbox-tokens': mailboxTokens,
  '0044b-reasons-of-mailboxes': reasonsOfMailboxes,
  '0044c-renewing-mailbox-tokens': renewingMailboxTokens,
  '0045-what-new-tickets-cost': whatNewTicketsCost,
  '0045b-messages-by-ticket': messagesByTicket,
  '0046-changes-of-client-tickets': changesOfClientTickets,
  '0047-plain-names': plainNames
}
