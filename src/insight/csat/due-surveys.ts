import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { system } from '../../core/actor.ts'
import { type Act, type ActServices, act } from '../../core/acts/act.ts'
import type { DueWork } from '../../core/clock/due-work.ts'
import { type Db, prepared } from '../../core/db.ts'
import type { Services } from '../../core/services.ts'
import { settingsOf } from '../../core/settings/desk-settings.ts'
import type { DeskSettings } from '../../core/settings/registry.ts'
import type { VoidedReason } from '../../core/tables/csat.ts'
import { secondsAfter } from '../../lib/time.ts'
import { addToOutbox } from '../../mail/outbox/add-to-outbox.ts'
import { ticketSender } from '../../mail/support-addresses/ticket-address.ts'
import { emailInForce } from '../../people/credentials/email-in-force.ts'
import { unsubscribeUrl } from '../../tickets/notifications/unsubscribe.ts'
import { clientEmailOf } from '../../tickets/ticket/client-email.ts'
import { creditedFor } from './credited.ts'
import { asksInDepartment, tokenPurpose } from './surveys.ts'

export const ratingPath = '/rate'

/** So many are decided in one transaction: each may queue an e-mail. */
const atOnce = 50
const restDays = 7
const daySeconds = 86_400

type SurveyServices = ActServices & Pick<Services, 'config' | 'keys' | 'jobs'>

/** Closings whose delay is over: their clients are asked how satisfied they are, or it is told why not. */
export function dueSurveys(services: SurveyServices): DueWork {
  return {
    name: 'csat',
    async nextDueAt() {
      const [next] = await nextDue(services.db, {})
      return next?.due_at ?? null
    },
    runDue: due =>
      act(services, system, async act => {
        const surveys = await lockedDue(act.db, { due, limit: atOnce })
        const { settings } = await settingsOf(act.db)
        for (const survey of surveys) await decide(services, act, survey, settings)
        return surveys.length
      })
  }
}

type Due = Awaited<ReturnType<typeof lockedDue>>[number]

async function decide(services: SurveyServices, act: Act, survey: Due, settings: DeskSettings): Promise<void> {
  const { db, now } = act
  const { id, ticket_id: ticket } = survey
  const staff = survey.credited_staff_id ?? (await creditedFor(db, { ticket, closedAt: survey.closed_at }))
  const reason = await reasonAgainst(db, survey, settings, staff, now)
  if (reason) {
    await voidSurvey(db, { id, reason, staff })
    act.happened({ kind: 'csat.voided', ticket, after: { survey_id: id, reason } })
    return
  }
  const token = randomBytes(16).toString('base64url')
  await markSent(db, { id, digest: services.keys.digest(tokenPurpose, token), staff, now })
  await queueEmail(services, act, survey, token)
  act.happened({ kind: 'csat.sent', ticket, after: { survey_id: id } })
}

/** Q2: why the client is not asked; null: they are. */
async function reasonAgainst(
  db: Db,
  survey: Due,
  settings: DeskSettings,
  staff: number | null,
  now: Date
): Promise<VoidedReason | null> {
  if (survey.rating) return 'rated'
  if (survey.is_trashed) return 'trash'
  if (survey.is_merged) return 'merged'
  if (survey.status !== 'Closed' || survey.is_closed_again) return 'reopened'
  if (settings.csat_enabled === 0) return 'disabled'
  if (!asksInDepartment(settings, survey.deptid)) return 'department'
  if (staff === null) return 'no_reply'
  const [written] = await lastOfClient(db, { ticket: survey.ticket_id })
  if (written?.is_automatic) return 'auto_replies'
  const { state, rating_emails } = await clientEmailOf(db, survey.ticket_id)
  if (rating_emails === 0 || state === 'turned_off' || state === 'unsubscribed' || state === 'answers_only')
    return 'opted_out'
  if (state !== 'sent') return 'unreachable'
  const since = secondsAfter(now, -restDays * daySeconds)
  const [recent] = await askedSince(db, { client: survey.client_id, since })
  return recent ? 'recent' : null
}

async function queueEmail(services: SurveyServices, { db }: Act, survey: Due, token: string): Promise<void> {
  const { client_id: clientId, ticket_id: ticketId, ticket_number: number, subject } = survey
  const sender = await ticketSender({ ...services, db }, { ...survey, id: ticketId })
  const { email: recipient } = await clientEmailOf(db, ticketId)
  const link = `${services.config.BASE_URL}${ratingPath}/${token}`
  const stop = unsubscribeUrl(services, { id: clientId, email: survey.email }, 'rating_emails')
  await addToOutbox(services, db, {
    kind: 'client-survey',
    channel: 'mail',
    recipient,
    clientId,
    reader: { population: 'client', id: clientId },
    email: {
      template: 'client-survey',
      values: {
        'ticket.number': number,
        'ticket.subject': subject,
        'good.link': `${link}?rating=good`,
        'bad.link': `${link}?rating=bad`,
        'stop.link': stop
      }
    },
    about: { ticketId, messageIds: [] },
    marks: { ...sender, unsubscribeUrl: stop }
  })
}

const nextDue = prepared(db =>
  db.selectFrom('csat_surveys').where('due_at', 'is not', null).select('due_at').orderBy('due_at').limit(1)
)

const lockedDue = prepared((db, p: { due: Date; limit: number }) =>
  db
    .selectFrom('csat_surveys')
    .innerJoin('tickets', 'tickets.id', 'csat_surveys.ticket_id')
    .innerJoin('departments', 'departments.id', 'tickets.department_id')
    .innerJoin('clients', 'clients.id', 'tickets.client_id')
    .where('due_at', '<=', p.due)
    .select(['csat_surveys.id', 'csat_surveys.ticket_id', 'rating', 'credited_staff_id'])
    .select(sql<Date>`csat_surveys.closed_at`.as('closed_at'))
    .select([
      emailInForce.as('email'),
      'client_id',
      'ticket_number',
      'subject',
      'tickets.status',
      'tickets.department_id',
      'deptid',
      'thread_id'
    ])
    .select([
      sql<boolean>`trashed_at is not null`.as('is_trashed'),
      sql<boolean>`merged_into_id is not null`.as('is_merged'),
      sql<boolean>`exists (select from csat_surveys as later where later.ticket_id = csat_surveys.ticket_id
        and later.id > csat_surveys.id)`.as('is_closed_again')
    ])
    .orderBy('due_at')
    .orderBy('csat_surveys.id')
    .limit(p.limit)
    .forUpdate('csat_surveys')
    .skipLocked()
)

/** Whether a program has written the newest message of the client, as one that tells of a vacation. */
const lastOfClient = prepared((db, p: { ticket: number }) =>
  db
    .selectFrom('ticket_messages')
    .leftJoin('message_emails', 'message_emails.message_id', 'ticket_messages.id')
    .where('ticket_id', '=', p.ticket)
    .where('sender_type', '=', sql.lit('client' as const))
    .select('is_automatic')
    .orderBy('ticket_messages.id', 'desc')
    .limit(1)
)

const askedSince = prepared((db, p: { client: number; since: Date }) =>
  db
    .selectFrom('tickets')
    .innerJoin('csat_surveys', 'csat_surveys.ticket_id', 'tickets.id')
    .where('tickets.client_id', '=', p.client)
    .where('sent_at', '>', p.since)
    .select('csat_surveys.id')
    .limit(1)
)

const voidSurvey = prepared((db, p: { id: number; reason: VoidedReason; staff: number | null }) =>
  db
    .updateTable('csat_surveys')
    .where('id', '=', p.id)
    .set({ due_at: null, voided_reason: p.reason, credited_staff_id: p.staff })
)

const markSent = prepared((db, p: { id: number; digest: string; staff: number | null; now: Date }) =>
  db
    .updateTable('csat_surveys')
    .where('id', '=', p.id)
    .set({ due_at: null, sent_at: p.now, token_digest: p.digest, credited_staff_id: p.staff })
)
