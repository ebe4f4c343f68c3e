import type account from './en/account.json'
import type actions from './en/actions.json'
import type admin from './en/admin.json'
import type articles from './en/articles.json'
import type audit from './en/audit.json'
import type authentication from './en/authentication.json'
import type clients from './en/clients.json'
import type closeFields from './en/close-fields.json'
import type consoleShell from './en/console.json'
import type definition from './en/definition.json'
import type delivery from './en/delivery.json'
import type due from './en/due.json'
import type fieldsAdmin from './en/fields-admin.json'
import type fieldsBulk from './en/fields-bulk.json'
import type format from './en/format.json'
import type held from './en/held.json'
import type hours from './en/hours.json'
import type inbox from './en/inbox.json'
import type knowledge from './en/knowledge.json'
import type links from './en/links.json'
import type macros from './en/macros.json'
import type mail from './en/mail.json'
import type mailboxes from './en/mailboxes.json'
import type organisations from './en/organisations.json'
import type portal from './en/portal.json'
import type portalAccount from './en/portal-account.json'
import type portalOpen from './en/portal-open.json'
import type portalOrganisation from './en/portal-organisation.json'
import type portalRating from './en/portal-rating.json'
import type portalSession from './en/portal-session.json'
import type portalShell from './en/portal-shell.json'
import type portalSignIn from './en/portal-sign-in.json'
import type portalTicket from './en/portal-ticket.json'
import type recipients from './en/recipients.json'
import type reports from './en/reports.json'
import type rules from './en/rules.json'
import type session from './en/session.json'
import type shared from './en/shared.json'
import type side from './en/side.json'
import type signOn from './en/sign-on.json'
import type signOnAdmin from './en/sign-on-admin.json'
import type sla from './en/sla.json'
import type snooze from './en/snooze.json'
import type thread from './en/thread.json'
import type ticketForms from './en/ticket-forms.json'
import type ui from './en/ui.json'
import type views from './en/views.json'

/** The catalogues, each with the strings of one part of the pages. Those of `de` have the same keys: `test/web-strings.test.ts`. */
interface Areas {
  account: typeof account
  actions: typeof actions
  admin: typeof admin
  articles: typeof articles
  audit: typeof audit
  authentication: typeof authentication
  clients: typeof clients
  'close-fields': typeof closeFields
  console: typeof consoleShell
  definition: typeof definition
  delivery: typeof delivery
  due: typeof due
  'fields-admin': typeof fieldsAdmin
  format: typeof format
  held: typeof held
  hours: typeof hours
  inbox: typeof inbox
  knowledge: typeof knowledge
  links: typeof links
  macros: typeof macros
  mailboxes: typeof mailboxes
  mail: typeof mail
  organisations: typeof organisations
  portal: typeof portal
  'portal-account': typeof portalAccount
  'portal-open': typeof portalOpen
  'portal-organisation': typeof portalOrganisation
  'portal-rating': typeof portalRating
  'portal-session': typeof portalSession
  'portal-shell': typeof portalShell
  'portal-sign-in': typeof portalSignIn
  'portal-ticket': typeof portalTicket
  recipients: typeof recipients
  'fields-bulk': typeof fieldsBulk
  reports: typeof reports
  rules: typeof rules
  session: typeof session
  shared: typeof shared
  side: typeof side
  'sign-on': typeof signOn
  'sign-on-admin': typeof signOnAdmin
  sla: typeof sla
  snooze: typeof snooze
  thread: typeof thread
  'ticket-forms': typeof ticketForms
  ui: typeof ui
  views: typeof views
}

export type Area = keyof Areas
/** `area.key` */
export type Key = { [A in Area]: `${A}.${keyof Areas[A] & string}` }[Area]
