import { join } from 'node:path'
import pg from 'pg'
import { accountsOf } from './accounts.ts'
import type { Bench } from './against-floor.ts'
import { jsonMessage } from './http-message.ts'
import { rawRequest } from './raw-request.ts'
import { serve } from './servers.ts'
import { summary } from './statistics.ts'
import { templateOf } from './testbed.ts'

const mails = 1_000_000

/** The filters of the page, alone and together with words that many e-mails have, few and none. */
const questions: Record<string, object> = {
  'all e-mails': {},
  'those that came in': { direction: 'in' },
  'those that went out': { direction: 'out' },
  'those that were held': { outcome: 'held' },
  'those that were refused': { outcome: 'refused' },
  'those that failed the check': { verdict: 'fail' },
  'those of a ticket': { ticket_id: 3 },
  'those of a person': { address: 'ada10@kunde.example' },
  'a frequent word': { search: 'printer' },
  'a rare word': { search: '777777' },
  'a word that none has': { search: 'zzzzqqq' },
  'a frequent word among those held': { search: 'printer', outcome: 'held' },
  'a frequent word among those refused': { search: 'printer', outcome: 'refused' }
}

/** Measures how long a page of the mail log takes at a million e-mails, with each filter. */
export async function costOfMailLog({ databases, dataDir, options, results, say }: Bench): Promise<void> {
  const database = 'bench_mail_log'
  try {
    await databases.make(database, await templateOf(databases, options.sizes[0]!, () => {}))
    const url = databases.url(database)
    await fill(url)
    say(`${mails.toLocaleString('en-US')} e-mails are in the log`)
    const server = await serve({ dataDir: join(dataDir, database), url, words: ['--no-worker'] })
    try {
      const { admin } = await accountsOf(url)
      for (const [about, filter] of Object.entries(questions)) {
        const times: number[] = []
        for (let round = 0; round <= Math.max(7, options.rounds); round++) {
          const startedAt = performance.now()
          const body = { ...filter, limit: 50 }
          const { status, answer } = await rawRequest(
            server.port,
            jsonMessage('/api/admin/mail/log/list', admin.token, body)
          )
          if (status !== 200) throw new Error(`${about} was answered ${status}: ${answer}`)
          times.push(performance.now() - startedAt)
        }
        const value = summary(times.slice(1))
        const name = `mail log of a million e-mails: ${about}`
        results.costs.push({ name, unit: 'ms', value, mark: { atMost: 50 } })
        say(`${name}: ${value.median.toFixed(0)} ms`)
      }
    } finally {
      await server.stop()
    }
  } finally {
    await databases.drop(database)
  }
}

/** Half of them came in; one outcome is frequent, others are rare. Written in parts, so that no transaction is too long. */
async function fill(connectionString: string): Promise<void> {
  const client = new pg.Client({ connectionString })
  await client.connect()
  const part = 100_000
  try {
    for (let from = 0; from < mails; from += part) await client.query(fillStatement, [from + 1, from + part])
    await client.query('analyze mail_log')
  } finally {
    await client.end()
  }
}

const fillStatement = `
  insert into mail_log (direction, at, outcome, via, kind, sender, recipients, subject, message_ref, size_bytes, authentication, ticket_id, steps)
  select direction, now() - (${mails} - n) * interval '30 seconds', outcome,
    case direction when 'in' then 'lmtp' end, case direction when 'out' then 'client-ticket' end,
    case direction when 'in' then person else 'support@desk.example' end,
    case direction when 'in' then 'support@desk.example' else person end,
    (array['Invoice', 'Printer', 'Order', 'Meter', 'Contract', 'Delivery', 'Question', 'Outage', 'Login', 'Return'])[1 + (n * 11 / 7) % 10]
      || ' ' || (array['is', 'was', 'about', 'for', 'missing', 'broken', 'late', 'wrong', 'new', 'old'])[1 + (n * 17 / 11) % 10] || ' ' || n,
    md5(n::text) || '@people.example', 2000 + n % 90000,
    case direction when 'in' then jsonb_build_object('verdict', (array['pass', 'pass', 'pass', 'fail', 'none'])[1 + n % 5]) end,
    n % 8 + 1,
    jsonb_build_array(jsonb_build_object('step', case direction when 'in' then 'received' else 'queued' end, 'at', now()))
  from (
    select n, case n % 2 when 0 then 'in' else 'out' end as direction,
      case when n % 2 = 0 and n % 5000 = 0 then 'refused'
        when n % 2 = 0 then (array['ticket', 'reply', 'reply', 'held', 'bounce', 'dropped', 'duplicate', 'ticket'])[1 + (n / 2) % 8]
        else (array['sent', 'sent', 'delivered', 'sent', 'bounced'])[1 + (n / 2) % 5] end as outcome,
      (array['ada', 'grace', 'mira', 'jonas', 'anton'])[1 + (n * 7) % 5] || n % 20000 || '@'
        || (array['solar', 'nordwind', 'kunde', 'alpha', 'beta'])[1 + (n * 13 / 3) % 5] || '.example' as person
    from generate_series($1::int, $2::int) as n
  ) as numbered`
