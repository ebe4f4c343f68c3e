// The second floor: Deskline's own server, in which the verbs of a few endpoints are replaced by bare writes. All that is around them stays:
// authentication, authorization, reading and checking the body, the response, the log line and the metrics.
import { CompiledQuery } from 'kysely'
import { buildApp } from '../src/app.ts'
import { readConfig } from '../src/core/config.ts'
import { type Db, prepared } from '../src/core/db.ts'
import { countTicket } from '../src/core/rate-limits/use-limits.ts'
import type { Services } from '../src/core/services.ts'
import type { AnyEndpoint } from '../src/kit/endpoint.ts'
import { calendarTimestamp, isoTime } from '../src/lib/time.ts'
import { openInstallation } from '../src/operation/installation.ts'
import { listen } from '../src/operation/listening.ts'
import { makeLog } from '../src/platform/log.ts'
import { setTicketStatus } from '../src/tickets/desk/endpoints/tickets-status.ts'
import { createTicket } from '../src/tickets/threads/endpoints/tickets-create.ts'
import { replyTicket } from '../src/tickets/threads/endpoints/tickets-reply.ts'
import { type BareScenario, writes } from './bare-writes.ts'

interface Parameters {
  account: number
  text: string
  now: Date
  /** The id of the ticket, or the subject of a new one. */
  ticket: number | string
}

interface Written {
  id: number
  ticket_number: string
  status: string
  created_at: Date
}

const [create, reply, status] = (['create', 'reply', 'status'] satisfies BareScenario[]).map(name => {
  const write = prepared((_db: Db, p: Parameters) => ({
    compile: () => CompiledQuery.raw(writes[name].text, [p.account, p.text, p.now, p.ticket]) as CompiledQuery<Written>
  }))
  return async (db: Db, parameters: Parameters) => (await write(db, parameters))[0]!
}) as [Write, Write, Write]

type Write = (db: Db, parameters: Parameters) => Promise<Written>

/** What the kit passes to an endpoint, as the schemas of the real endpoints have it. */
interface Given {
  body: { id: number; message: string; subject: string; status: string }
  actor: { id: number }
  caller: { ip: string }
  services: Services
}

function bare(real: AnyEndpoint, handle: (given: Given) => Promise<{ message: string; data: object }>): AnyEndpoint {
  return { ...real, aliases: [], handle: handle as AnyEndpoint['handle'] }
}

const bareCreate = bare(createTicket, async ({ body, actor, caller, services }) => {
  countTicket(services, actor.id, caller.ip)
  const now = services.clock.now()
  const row = await create(services.db, { account: actor.id, text: body.message, now, ticket: body.subject })
  return {
    message: `Ticket ${row.ticket_number} created`,
    data: {
      ...row,
      ticket_id: row.id,
      department: { id: 1, deptid: 1, name: 'Technical Support' },
      attachments: [],
      created_at: calendarTimestamp(row.created_at),
      created_at_iso: isoTime(row.created_at)
    }
  }
})

const bareReply = bare(replyTicket, async ({ body, actor, services: { db, clock } }) => {
  const row = await reply(db, { account: actor.id, text: body.message, now: clock.now(), ticket: body.id })
  return { message: 'Reply added', data: { ...row, ticket_id: row.id, attachments: [] } }
})

const bareStatus = bare(setTicketStatus, async ({ body, actor, services: { db, clock } }) => {
  const row = await status(db, { account: actor.id, text: body.status, now: clock.now(), ticket: body.id })
  return { message: `Ticket status changed to ${row.status}`, data: { ticket_id: row.id, status: row.status } }
})

const config = readConfig(process.env)
const log = makeLog(config.LOG_LEVEL, 'stdout')
const { services, close } = await openInstallation(config, log, { as: 'child', schema: 'require' })
const app = await buildApp(services, { endpoints: [bareCreate, bareReply, bareStatus] })
const listening = await listen(app, config)
process.once('SIGTERM', async () => {
  await listening.stop(1_000)
  await close()
  process.exit()
})
