import { type RawBuilder, sql } from 'kysely'
import type { StaffActor } from '../../core/actor.ts'
import { type Db, prepared } from '../../core/db.ts'
import { type MailLogRow, type MailOutcome, outcomesIn, outcomesOut } from '../../core/tables/mail-log.ts'
import type { Authentication } from '../../core/tables/mails.ts'
import { InvalidFields } from '../../kit/errors.ts'
import { maxId } from '../../kit/schemas.ts'
import { visibleTicketNow } from '../../tickets/ticket/locked-ticket.ts'
import type { TicketRef } from '../../tickets/ticket/schemas.ts'
import { TicketNotFound } from '../../tickets/ticket/ticket-for.ts'
import { readerVisibility } from '../../tickets/ticket/visibility.ts'
import { requireAllTickets } from '../mailbox/held-mails.ts'

/** What a page of the log is narrowed to. */
export interface LogFilter {
  direction?: 'in' | 'out' | undefined
  outcome?: MailOutcome | undefined
  /** Parts of addresses, words of the subject, a Message-ID, or the number of a ticket. */
  search?: string | undefined
  ticketId?: number | undefined
  /** Of the sender or a recipient, in full. */
  address?: string | undefined
  verdict?: Authentication['verdict'] | undefined
  since?: Date | undefined
}

/** An e-mail of the log, with the number of its ticket. */
export type LoggedMail = Omit<MailLogRow, 'words'> & { ticket_number: string | null }

export interface LogPage {
  limit: number
  cursor?: string | undefined
}

/** A page of the log, the newest first. Throws `Forbidden`, and `InvalidFields` for a cursor of another list. */
export async function loggedMails(
  db: Db,
  actor: StaffActor,
  filter: LogFilter,
  page: LogPage
): Promise<{ mails: LoggedMail[]; next_cursor: string | null }> {
  requireAllTickets(actor)
  return await pageOfLog(db, await narrowed(db, filter), page)
}

/** The e-mails of a ticket that the actor sees, and of the tickets that were merged into it. Throws `TicketNotFound`. */
export async function mailsOfTicket(db: Db, actor: StaffActor, ref: TicketRef, page: LogPage) {
  const ticket = await visibleTicketNow(db, readerVisibility(actor), ref, {})
  if (!ticket) throw TicketNotFound()
  return await pageOfLog(db, { ...everything, tickets: await withMerged(db, ticket.id) }, page)
}

/** More are not counted. */
export const maxCount = 50_000

/** How many e-mails a filter leaves: at most `maxCount + 1`. */
export async function countOfLog(db: Db, actor: StaffActor, filter: LogFilter): Promise<number> {
  requireAllTickets(actor)
  const narrow = await narrowed(db, filter)
  const among = isSearch(narrow) ? sql`(${foundIn(narrow, maxId)})` : rowsOf(narrow, maxId, maxCount + 1)
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from (select from ${among} as mail limit ${maxCount + 1}) as counted`.execute(db)
  return rows[0]!.count
}

/** The rows of a filter before an id, for an export; the newest first. */
export async function loggedBefore(db: Db, filter: LogFilter, before: number, limit: number): Promise<LoggedMail[]> {
  return await rowsBefore(db, await narrowed(db, filter), before, limit)
}

async function pageOfLog(db: Db, narrow: Narrowed, { limit, cursor }: LogPage) {
  const before = cursor === undefined ? maxId : Number(cursor)
  if (!Number.isSafeInteger(before) || before < 1)
    throw InvalidFields({ message: 'cursor is not one of this list: take it from the page before', errors: ['cursor'] })
  const rows = await rowsBefore(db, narrow, before, limit + 1)
  const mails = rows.slice(0, limit)
  return { mails, next_cursor: rows.length > limit ? String(mails.at(-1)!.id) : null }
}

/** A filter in the terms of the table. */
interface Narrowed {
  /** The pairs of direction and outcome; undefined: all. */
  outcomes: { direction: 'in' | 'out'; outcome: MailOutcome }[] | undefined
  tickets: readonly number[] | undefined
  /** Patterns for `words`, of which each has to fit. */
  terms: readonly string[]
  address: string | undefined
  verdict: Authentication['verdict'] | undefined
  /** Rows with a lower id are older than asked for. */
  from: number
}

const everything: Narrowed = {
  outcomes: undefined,
  tickets: undefined,
  terms: [],
  address: undefined,
  verdict: undefined,
  from: 0
}

const maxTerms = 6

async function narrowed(db: Db, filter: LogFilter): Promise<Narrowed> {
  const { search = '', address, verdict, since } = filter
  const number = /^\s*(TIC-\d{1,18})\s*$/i.exec(search)?.[1]?.toUpperCase()
  const [numbered] = number === undefined ? [] : await ticketWithNumber(db, { number })
  const words = numbered ? [] : search.split(/\s+/).map(withoutBrackets).filter(Boolean)
  const asked = [numbered?.id, filter.ticketId].filter(id => id !== undefined)
  const tickets = await Promise.all(asked.map(id => withMerged(db, id)))
  const [first] = since ? await firstSince(db, { since }) : []
  return {
    outcomes: outcomesOf(filter),
    // By its number and by its id: what is of both.
    tickets: tickets[0]?.filter(id => tickets.every(ids => ids.includes(id))),
    terms: words.slice(0, maxTerms).map(asPattern),
    address: address || undefined,
    verdict,
    from: since ? (first?.id ?? maxId) : 0
  }
}

function outcomesOf({ direction, outcome }: LogFilter): Narrowed['outcomes'] {
  if (direction === undefined && outcome === undefined) return undefined
  const all = [
    ...outcomesIn.map(outcome => ({ direction: 'in' as const, outcome })),
    ...outcomesOut.map(outcome => ({ direction: 'out' as const, outcome }))
  ]
  return all.filter(
    each => (direction ?? each.direction) === each.direction && (outcome ?? each.outcome) === each.outcome
  )
}

function withoutBrackets(word: string): string {
  return word.replace(/^<(.*)>$/, '$1')
}

function asPattern(word: string): string {
  return `%${word.replaceAll(/[\\%_]/g, '\\$&')}%`
}

/**
 * So many of the newest rows that fit are looked through for words before their index is asked: of words that many e-mails have, these suffice. First a
 * few, because rows of a rare outcome lie far apart on the disk.
 */
const lookedThrough = [1_000, 10_000] as const

async function rowsBefore(db: Db, narrow: Narrowed, before: number, limit: number): Promise<LoggedMail[]> {
  const { terms, address } = narrow
  if (!isSearch(narrow)) return await selected(db, rowsOf(narrow, before, limit), limit)
  // The index knows sequences of three letters and more.
  const isIndexed = address !== undefined || terms.some(term => term.replaceAll('\\', '').length >= 5)
  for (const most of lookedThrough) {
    const { mails, isAll } = await foundAmong(db, narrow, { before, most, limit })
    const isLast = most === lookedThrough.at(-1) && !isIndexed
    if (mails.length >= limit || isAll || isLast) return mails
  }
  return await selected(db, rowsWithIds(sql`(${foundIn(narrow, before)} order by mail.id desc limit ${limit})`), limit)
}

/** Those of the newest rows that have all terms, and whether these were all rows that fit. Whole rows would not fit into memory, and be written to the disk. */
async function foundAmong(
  db: Db,
  narrow: Narrowed,
  { before, most, limit }: { before: number; most: number; limit: number }
): Promise<{ mails: LoggedMail[]; isAll: boolean }> {
  const { rows } = await sql<{ looked: number; ids: number[] }>`
    with newest as materialized (
      select id, words, sender, recipients from ${rowsOf(narrow, before, most)} as mail order by id desc)
    select (select count(*)::int from newest) as looked,
      array(select id from newest as mail where ${contains(narrow)} order by id desc limit ${limit}) as ids`.execute(db)
  const { looked, ids } = rows[0]!
  const mails = ids.length === 0 ? [] : await selected(db, rowsWithIds(sql`unnest(${ids}::bigint[])`), limit)
  return { mails, isAll: looked < most }
}

/** The rows with these ids, each by the primary key: the planner cannot know how few they are. */
function rowsWithIds(ids: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`(
    select mail.* from ${ids} as found (id)
    cross join lateral (select * from mail_log where mail_log.id = found.id limit 1) as mail)`
}

/** The ids of the rows that have all terms, by the index of words, whatever their number. */
function foundIn(narrow: Narrowed, before: number): RawBuilder<unknown> {
  return sql`
    with mail as materialized (
      select id, direction, outcome, verdict, ticket_id from mail_log where ${contains(narrow)})
    select mail.id from mail where ${fits(narrow, before)}`
}

/** Whether rows are looked through, for words or for an address. */
function isSearch({ terms, address }: Narrowed): boolean {
  return terms.length > 0 || address !== undefined
}

function contains({ terms, address }: Narrowed): RawBuilder<boolean> {
  const each = terms.map(term => sql<boolean>`words like lower(${term})`)
  // As the index has it.
  const ofAddress = sql<boolean>`string_to_array(lower(coalesce(sender, '') || e'\n' || recipients), e'\n') @> array[lower(${address}::text)]`
  return sql.join(address === undefined ? each : [...each, ofAddress], sql` and `)
}

function fits({ outcomes, tickets, verdict, from }: Narrowed, before: number): RawBuilder<boolean> {
  return sql.join(
    [
      sql`mail.id < ${before} and mail.id >= ${from}`,
      ...(outcomes
        ? [
            sql`(mail.direction, mail.outcome) in (select * from unnest(
        ${outcomes.map(each => each.direction)}::text[], ${outcomes.map(each => each.outcome)}::text[]))`
          ]
        : []),
      ...(tickets ? [sql`mail.ticket_id = any(${tickets}::bigint[])`] : []),
      ...(verdict ? [sql`mail.verdict = ${verdict}`] : [])
    ],
    sql` and `
  )
}

/**
 * The newest rows that fit all but the words, each pair of direction and outcome by its own range of an index. The pairs are constants, so that the planner
 * knows which of them are rare.
 */
function rowsOf(narrow: Narrowed, before: number, limit: number): RawBuilder<unknown> {
  const { verdict } = narrow
  const outcomes = narrow.outcomes ?? (verdict ? outcomesOf({ direction: 'in' }) : undefined)
  if (!outcomes || narrow.tickets)
    return sql`(select * from mail_log as mail where ${fits(narrow, before)} order by id desc limit ${limit})`
  const others = fits({ ...narrow, outcomes: undefined, verdict: undefined }, before)
  const ranges = outcomes.map(
    ({ direction, outcome }) => sql`(
      select * from mail_log as mail
      where mail.direction = ${sql.lit(direction)} and mail.outcome = ${sql.lit(outcome)} and ${others}
        and ${verdict ? sql`mail.verdict = ${sql.lit(verdict)}` : sql`true`}
      order by mail.id desc limit ${limit})`
  )
  if (ranges.length === 0) return sql`(select * from mail_log where false)`
  return sql`(select * from (${sql.join(ranges, sql` union all `)}) as mail order by mail.id desc limit ${limit})`
}

async function selected(db: Db, mails: RawBuilder<unknown>, limit: number): Promise<LoggedMail[]> {
  const { rows } = await sql<LoggedMail>`
    select ${columns} from ${mails} as mail left join tickets on tickets.id = mail.ticket_id
    order by mail.id desc limit ${limit}`.execute(db)
  return rows
}

const columns = sql`mail.id, mail.direction, mail.at, mail.outcome, mail.reason, mail.via, mail.kind, mail.sender, mail.recipients,
  mail.subject, mail.message_ref, mail.size_bytes, mail.authentication, mail.verdict, mail.ticket_id, mail.client_id, mail.mail_id,
  mail.outbox_message_id, mail.about_id, mail.is_secret, mail.is_erased, mail.steps, tickets.ticket_number`

const firstSince = prepared((db, p: { since: Date }) =>
  db.selectFrom('mail_log').where('at', '>=', p.since).select('id').orderBy('at').limit(1)
)

const ticketWithNumber = prepared((db, p: { number: string }) =>
  db.selectFrom('tickets').where('ticket_number', '=', p.number).select('id')
)

async function withMerged(db: Db, id: number): Promise<number[]> {
  return (await partsOf(db, { id })).map(({ id }) => id)
}

const partsOf = prepared((db, p: { id: number }) =>
  db
    .selectFrom('tickets')
    .where(({ or, eb }) => or([eb('id', '=', p.id), eb('merged_into_id', '=', p.id)]))
    .select('id')
)

/** The row with this id. */
export async function loggedMail(db: Db, id: number): Promise<LoggedMail | undefined> {
  return (await selected(db, sql`(select * from mail_log where id = ${id})`, 1))[0]
}

/** The rows of the e-mails that are about this one: its bounces, and those by which it was sent again; the newest first. */
export async function mailsAbout(db: Db, id: number): Promise<LoggedMail[]> {
  return await selected(db, sql`(select * from mail_log where about_id = ${id})`, maxAbout)
}

const maxAbout = 20
