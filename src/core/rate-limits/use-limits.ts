import type { Services } from '../services.ts'
import { countInMemory } from './count-in-memory.ts'
import { countAll, enabledLimits, networkLimits, type RateLimit, rateLimitHeaders } from './rate-limit.ts'

// Limits of normal use: far above anybody's needs, and far below a flood.

type World = Pick<Services, 'config' | 'db' | 'realClock' | 'metrics' | 'log'>

const minuteSeconds = 60
const hourSeconds = 3600

/** Counts a sign-up, before its password is hashed. Throws 429 after too many. */
export async function countSignUp(services: World, ip: string): Promise<void> {
  const limits = perNetwork('signups', ip, services.config.MAX_SIGNUPS_PER_NETWORK)
  if (limits.length > 0) await countAll(services, limits)
}

/** Counts a ticket that a client opens. Throws 429 after too many. */
export function countTicket(services: World, client: number, ip: string): void {
  const { MAX_TICKETS_PER_CLIENT, MAX_TICKETS_PER_NETWORK } = services.config
  countInMemory(services, [
    ...perClient('tickets', client, MAX_TICKETS_PER_CLIENT),
    ...perNetwork('tickets', ip, MAX_TICKETS_PER_NETWORK)
  ])
}

/** Counts a file that a client uploads, before it is read. Throws 429 after too many. */
export function countUpload(services: World, client: number, ip: string): void {
  const { MAX_UPLOADS_PER_CLIENT, MAX_UPLOADS_PER_NETWORK } = services.config
  countInMemory(services, [
    ...perClient('uploads', client, MAX_UPLOADS_PER_CLIENT),
    ...perNetwork('uploads', ip, MAX_UPLOADS_PER_NETWORK)
  ])
}

/** Counts a search or suggestion of articles, which anybody may ask for. Throws 429 after too many. */
export function countArticleSearch(services: World, ip: string): void {
  countInMemory(services, perNetwork('article-searches', ip, services.config.MAX_ARTICLE_SEARCHES_PER_NETWORK))
}

/** Counts what a reader says of an article. Throws 429 after too many. */
export function countArticleAnswer(services: World, ip: string): void {
  countInMemory(services, perNetwork('article-answers', ip, services.config.MAX_ARTICLE_ANSWERS_PER_NETWORK))
}

/** Counts a request with this API token; returns the headers that tell what is left. Throws 429 after too many. */
export function countApiToken(services: World, id: number): Record<string, string> {
  const most = services.config.MAX_REQUESTS_PER_TOKEN
  const limits = enabledLimits([{ key: `api-token:${id}`, kind: 'api-token', most, seconds: minuteSeconds }])
  const [counted] = countInMemory(services, limits)
  return counted ? rateLimitHeaders(counted.limit, counted.left, counted.resetsIn) : {}
}

function perClient(kind: string, client: number, most: number): RateLimit[] {
  return enabledLimits([{ key: `${kind}:client:${client}`, kind, most, seconds: hourSeconds }])
}

function perNetwork(kind: string, ip: string, most: number): RateLimit[] {
  return most === 0 ? [] : networkLimits(ip, { key: `${kind}-by`, kind, most, seconds: hourSeconds })
}
