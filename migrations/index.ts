import * as baseline from './0001-baseline.ts'
import * as search from './0002-search.ts'
import * as conditions from './0003-conditions.ts'
import * as calendars from './0004-calendars.ts'
import * as snoozes from './0005-snoozes.ts'
import * as linksAndSplits from './0006-links-and-splits.ts'
import * as organisations from './0007-organisations.ts'
import * as organisationsIndexes from './0007-organisations-indexes.ts'
import * as slaPolicies from './0008-sla-policies.ts'
import * as slaClocks from './0009-sla-clocks.ts'
import * as fields from './0010-fields.ts'
import * as fieldFilters from './0011-field-filters.ts'
import * as away from './0013-away.ts'
import * as macros from './0014-macros.ts'
import * as rules from './0016-rules.ts'
import * as ruleTimers from './0017-rule-timers.ts'
import * as ticketForms from './0018-ticket-forms.ts'
import * as fieldsOfUnconfirmedTickets from './0019-fields-of-unconfirmed-tickets.ts'
import * as rulesAgain from './0020-rules-again.ts'
import * as wordsOfTickets from './0021-words-of-tickets.ts'
import * as timersThatFired from './0023-timers-that-fired.ts'
import * as connectedMailboxes from './0026-connected-mailboxes.ts'
import * as mailLog from './0029-mail-log.ts'
import * as mailLogOfFormerMails from './0030-mail-log-of-former-mails.ts'
import * as waitingReplies from './0031-waiting-replies.ts'
import * as draftsAndSignatures from './0032-drafts-and-signatures.ts'
import * as bouncedEmails from './0033-bounced-emails.ts'
import * as formattedText from './0034-formatted-text.ts'
import * as sideConversations from './0035-side-conversations.ts'
import * as sideMessagesFound from './0036-side-messages-found.ts'
import * as reports from './0037-reports.ts'
import * as csat from './0038-csat.ts'
import * as knowledgeBase from './0041-knowledge-base.ts'
import * as articlesPictures from './0042-articles-pictures.ts'
import * as passkeys from './0047-passkeys.ts'
import * as singleSignOn from './0048-single-sign-on.ts'
import * as signedInBy from './0053-signed-in-by.ts'
import * as apiTokens from './0054-api-tokens.ts'
import * as reportsReconciled from './0061-reports-reconciled.ts'
import * as countsOfOneInstant from './0062-counts-of-one-instant.ts'
import * as widgetSecrets from './0066-widget-secrets.ts'
import * as ticketsAndArticles from './0067-tickets-and-articles.ts'
import * as versionsByAndMacrosInDepartments from './0069-versions-by-and-macros-in-departments.ts'
import * as dismissedBounces from './0072-dismissed-bounces.ts'
import * as mailLogFilters from './0073-mail-log-filters.ts'
import * as reportsAtHand from './0075-reports-at-hand.ts'
import * as reportDaysAtHand from './0076-report-days-at-hand.ts'
import * as knownDevices from './0087-known-devices.ts'
import * as endsOfTokensTold from './0088-ends-of-tokens-told.ts'
import * as ratingsOptedOut from './0093-ratings-opted-out.ts'
import * as ticketsByRating from './0094-tickets-by-rating.ts'
import * as clientsInSideConversations from './0095-clients-in-side-conversations.ts'
import * as formerAddresses from './0096-former-addresses.ts'
import * as waitingSideMessages from './0097-waiting-side-messages.ts'
import * as titlesOfArticles from './0098-titles-of-articles.ts'
import * as usesInTexts from './0099-uses-in-texts.ts'
import * as replacedTokens from './0100-replaced-tokens.ts'
import * as addressesOfTokens from './0101-addresses-of-tokens.ts'
import * as emailsOfRules from './0102-emails-of-rules.ts'
import * as lastCalls from './0103-last-calls.ts'
import * as publishingAsked from './0104-publishing-asked.ts'
import * as reasonsOfStoppedMessages from './0105-reasons-of-stopped-messages.ts'
import * as takenOutOfOrganisations from './0106-taken-out-of-organisations.ts'
import * as presenceAtArticles from './0107-presence-at-articles.ts'
import * as tokensOfAuthors from './0108-tokens-of-authors.ts'
import * as fieldValuesOfTickets from './0109-field-values-of-tickets.ts'
import * as fieldValuesOfTicketsCopied from './0109-field-values-of-tickets-copied.ts'
import type { Migration } from './migration.ts'

/** Every migration, in the order in which it runs. They go forward only and are never edited once released. */
export const migrations: Record<string, Migration> = {
  '0001-baseline': baseline,
  '0002-search': search,
  '0003-conditions': conditions,
  '0004-calendars': calendars,
  '0005-snoozes': snoozes,
  '0006-links-and-splits': linksAndSplits,
  '0007-organisations': organisations,
  '0007-organisations-indexes': organisationsIndexes,
  '0008-sla-policies': slaPolicies,
  '0009-sla-clocks': slaClocks,
  '0010-fields': fields,
  '0011-field-filters': fieldFilters,
  '0013-away': away,
  '0014-macros': macros,
  '0016-rules': rules,
  '0017-rule-timers': ruleTimers,
  '0018-ticket-forms': ticketForms,
  '0019-fields-of-unconfirmed-tickets': fieldsOfUnconfirmedTickets,
  '0020-rules-again': rulesAgain,
  '0021-words-of-tickets': wordsOfTickets,
  '0023-timers-that-fired': timersThatFired,
  '0026-connected-mailboxes': connectedMailboxes,
  '0029-mail-log': mailLog,
  '0030-mail-log-of-former-mails': mailLogOfFormerMails,
  '0031-waiting-replies': waitingReplies,
  '0032-drafts-and-signatures': draftsAndSignatures,
  '0033-bounced-emails': bouncedEmails,
  '0034-formatted-text': formattedText,
  '0035-side-conversations': sideConversations,
  '0036-side-messages-found': sideMessagesFound,
  '0037-reports': reports,
  '0038-csat': csat,
  '0041-knowledge-base': knowledgeBase,
  '0042-articles-pictures': articlesPictures,
  '0047-passkeys': passkeys,
  '0048-single-sign-on': singleSignOn,
  '0053-signed-in-by': signedInBy,
  '0054-api-tokens': apiTokens,
  '0061-reports-reconciled': reportsReconciled,
  '0062-counts-of-one-instant': countsOfOneInstant,
  '0066-widget-secrets': widgetSecrets,
  '0067-tickets-and-articles': ticketsAndArticles,
  '0069-versions-by-and-macros-in-departments': versionsByAndMacrosInDepartments,
  '0072-dismissed-bounces': dismissedBounces,
  '0073-mail-log-filters': mailLogFilters,
  '0075-reports-at-hand': reportsAtHand,
  '0076-report-days-at-hand': reportDaysAtHand,
  '0087-known-devices': knownDevices,
  '0088-ends-of-tokens-told': endsOfTokensTold,
  '0093-ratings-opted-out': ratingsOptedOut,
  '0094-tickets-by-rating': ticketsByRating,
  '0095-clients-in-side-conversations': clientsInSideConversations,
  '0096-former-addresses': formerAddresses,
  '0097-waiting-side-messages': waitingSideMessages,
  '0098-titles-of-articles': titlesOfArticles,
  '0099-uses-in-texts': usesInTexts,
  '0100-replaced-tokens': replacedTokens,
  '0101-addresses-of-tokens': addressesOfTokens,
  '0102-emails-of-rules': emailsOfRules,
  '0103-last-calls': lastCalls,
  '0104-publishing-asked': publishingAsked,
  '0105-reasons-of-stopped-messages': reasonsOfStoppedMessages,
  '0106-taken-out-of-organisations': takenOutOfOrganisations,
  '0107-presence-at-articles': presenceAtArticles,
  '0108-tokens-of-authors': tokensOfAuthors,
  '0109-field-values-of-tickets': fieldValuesOfTickets,
  '0109-field-values-of-tickets-copied': fieldValuesOfTicketsCopied
}
