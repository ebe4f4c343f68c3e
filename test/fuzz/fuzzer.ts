import assert from 'node:assert/strict'
import { Agent, request as httpRequest } from 'node:http'
import { buffer } from 'node:stream/consumers'
import fc from 'fast-check'
import { bootDesk, type Desk } from '../support/desk.ts'
import { aClient, anAdmin, aSupporter, type Person } from '../support/people.ts'
import { type Reply, readReply } from '../support/requests.ts'
import { withoutAttemptLimits } from '../support/routes.ts'
import { storedFiles } from '../support/tickets.ts'
import { encodeRequest } from './encode-request.ts'
import { type KnownValues, makeKnownValues } from './known-values.ts'
import { anyRequest, type FuzzRequest } from './requests.ts'

export interface FuzzOptions {
  requests: number
  /** The same seed sends the same requests in the same order. */
  seed: number
}

export interface FuzzFigures {
  /** How many responses had each status. */
  statuses: Record<string, number>
  /** How many refusals were verified to have written nothing. */
  samples: number
}

const atOnce = 8
/** One of this many batches is sent one request at a time, to verify that refusals write nothing. */
const sampledEvery = 25
const answersWithinMilliseconds = 30_000

/** A desk with small limits, so that they are reached, and without limits of attempts, which would soon refuse everything. */
export async function bootFuzzDesk(): Promise<Desk> {
  const limits = { MAX_JSON_BYTES: 65_536, MAX_FILES: 3, MAX_FILE_BYTES: 40_000 }
  return await bootDesk({ connections: 10, config: { ...withoutAttemptLimits, ...limits } })
}

/**
 * Sends hostile requests to every address and holds each answer to the contract: below 500, in the envelope, of the endpoint's
 * schema, with a request id; sampled refusals have written nothing. Throws the smallest request that it finds to break that.
 */
export async function fuzz(desk: Desk, { requests, seed }: FuzzOptions): Promise<FuzzFigures> {
  const callers = await fuzzCallers(desk)
  const statuses: Record<string, number> = {}
  let sent = 0
  let batches = 0
  let samples = 0

  async function one(request: FuzzRequest): Promise<Reply> {
    const reply = await callers.send(request)
    statuses[reply.status] = (statuses[reply.status] ?? 0) + 1
    sent++
    return reply
  }

  async function sample(request: FuzzRequest): Promise<void> {
    const [rows, files] = [await desk.rowCounts(), await storedFiles(desk)]
    const reply = await one(request)
    if (reply.status < 400) return
    assert.deepEqual(await desk.rowCounts(), rows, `a refusal (${reply.status} ${reply.body.message}) has written rows`)
    assert.deepEqual(await storedFiles(desk), files, `a refusal (${reply.status} ${reply.body.message}) has left files`)
    samples++
  }

  const batch = fc.array(anyRequest, { minLength: atOnce, maxLength: atOnce })
  const property = fc.asyncProperty(batch, async batch => {
    if (++batches % sampledEvery === 0) for (const request of batch) await sample(request)
    else await Promise.all(batch.map(one))
    await callers.renew()
  })
  const result = await fc.check(property, { seed, numRuns: Math.ceil(requests / atOnce), endOnFailure: false })
  if (result.failed) {
    const smallest = JSON.stringify(result.counterexample?.[0]).slice(0, 5_000)
    const why = (result.errorInstance as Error).message
    throw new Error(`${why}\nWith --seed ${seed}, after ${sent} requests, in the batch ${smallest}`)
  }
  return { statuses, samples }
}

/** The callers of the desk, who are replaced when they have been deleted, logged out or locked out. */
async function fuzzCallers(desk: Desk) {
  const agent = new Agent({ keepAlive: true, maxSockets: atOnce })
  const known: KnownValues = makeKnownValues()
  const makers: Record<string, () => Promise<Person>> = {
    client: () => aClient(desk, { phone_number: '+15550100123' }),
    supporter: () => aSupporter(desk, 'tickets.view_all', 'tickets.reply', 'staff.view', 'clients.view'),
    admin: () => anAdmin(desk)
  }
  const people = new Map<string, Person>()
  const lost = new Set(Object.keys(makers))

  let isShutOut = false

  async function renew(): Promise<void> {
    // An admin can demand a second factor of all staff, and then nobody comes any further.
    if (isShutOut) await desk.db.deleteFrom('desk_settings').where('name', '=', 'require_staff_2fa').execute()
    isShutOut = false
    for (const name of lost) {
      const person = await makers[name]!()
      people.set(name, person)
      known.learn({ id: person.id, email: person.email, refresh_token: person.refresh_token })
    }
    lost.clear()
  }

  await renew()
  return {
    renew,
    async send(request: FuzzRequest): Promise<Reply> {
      const person = people.get(request.who)
      const token = request.who === 'forger' ? 'eyJhbGciOiJub25lIn0.e30.' : person?.token
      const reply = await sendRequest(desk, agent, request, known, token)
      if (reply.status === 401 && person) lost.add(request.who)
      isShutOut ||= reply.status === 403 && request.who === 'admin'
      if (reply.status < 300) known.learn(reply.data)
      return reply
    }
  }
}

async function sendRequest(
  desk: Desk,
  agent: Agent,
  request: FuzzRequest,
  known: KnownValues,
  token: string | undefined
): Promise<Reply> {
  const { method, path, type, body } = encodeRequest(request, known)
  const { promise, resolve, reject } = Promise.withResolvers<Response>()
  const outgoing = httpRequest(desk.url, {
    agent,
    method,
    path,
    timeout: answersWithinMilliseconds,
    headers: {
      ...request.headers,
      ...(token ? { authorization: `Bearer ${token}` } : {}),
      ...(type === undefined ? {} : { 'content-type': type }),
      ...(body ? { 'content-length': body.length } : {})
    }
  })
  outgoing.on('response', async incoming => {
    const headers = Object.entries(incoming.headers).map(([name, value]) => [name, String(value)] as [string, string])
    // Nobody waits for the end of a stream: that it has begun is the answer.
    const isStream = incoming.headers['content-type']?.startsWith('text/event-stream')
    const content = isStream ? new Uint8Array() : new Uint8Array(await buffer(incoming))
    if (isStream) incoming.destroy()
    resolve(new Response(content, { status: incoming.statusCode, headers }))
  })
  outgoing.on('timeout', () => outgoing.destroy(new Error('no answer in time')))
  outgoing.on('error', reject)
  outgoing.end(body)
  const about = `${method} ${path.slice(0, 200)} as ${request.who}`
  const reply = await promise
    .then(response => readAnswer(path, response))
    .catch(error => {
      throw new Error(`${about}: ${error.message}`, { cause: error })
    })
  assert.ok(reply.status < 500, `${about} answered ${JSON.stringify(reply.body)}`)
  assert.match(reply.headers.get('x-request-id') ?? '', /^[\w.-]{1,100}$/, about)
  return reply
}

/** Pages for whoever follows a link in an e-mail, which tell of a refusal as well. */
const linkPages = ['/unsubscribe', '/confirm-email']

/** Whatever is refused, and all of the API, is answered in the envelope; files, pages and what leads to a page are not. */
async function readAnswer(path: string, response: Response): Promise<Reply> {
  const isPage = response.headers.get('content-type')?.startsWith('text/html')
  const isLinkPage = isPage && linkPages.includes(path.split(/[?#]/, 1)[0]!)
  const isEnveloped = response.status >= 400 || (path.startsWith('/api/') && response.status !== 303)
  if (isEnveloped && !isLinkPage) return await readReply(path.split('#', 1)[0]!, response)
  return { status: response.status, headers: response.headers, body: undefined, data: undefined }
}
