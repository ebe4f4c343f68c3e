import { join } from 'node:path'
import pg from 'pg'
import { accountsOf } from './accounts.ts'
import type { Bench } from './against-floor.ts'
import { jsonMessage, message } from './http-message.ts'
import { runInterleaved } from './interleaved-rounds.ts'
import { rawRequest } from './raw-request.ts'
import { faultsOf } from './results.ts'
import { sampleTexts, sampleWords } from './sample-texts.ts'
import { serve } from './servers.ts'
import { ratios, summary } from './statistics.ts'
import { copiesOf, templateOf } from './testbed.ts'

const articles = 10_000
const requests = 100
/** A word that nearly every article has, and one that few have. */
const [common, rare] = ['everywhere', sampleWords[5_000]!]

/** Measures the knowledge base with ten thousand articles: searches, suggestions, and an article that the browser has, by its ETag. */
export async function costOfHelp({ databases, meter, options, results, dataDir, say }: Bench): Promise<void> {
  const tickets = options.sizes[0]!
  const database = 'bench_help'
  try {
    await copiesOf(databases, await templateOf(databases, tickets, () => {}), [database])
    const url = databases.url(database)
    await fillArticles(url)
    const { admin } = await accountsOf(url)
    const server = await serve({ dataDir: join(dataDir, database), url })
    try {
      const search = (words: string) => jsonMessage('/api/kb/search', undefined, { search: words })
      const subject = { subject: `${common} ${sampleWords.slice(40, 44).join(' ')}`, message: sampleTexts(1, 60, 5)[0] }
      for (const [name, request, atMost] of [
        ['a search of articles for a common word', search(common), 20],
        ['a search of articles for a rare word', search(rare), 20],
        ['a search of articles for two words', search(`${common} ${rare}`), 20],
        ['a suggestion of articles', jsonMessage('/api/kb/suggest', undefined, subject), 30]
      ] as const) {
        const rounds: number[] = []
        for (let round = 0; round < options.rounds; round++) rounds.push(await p95Of(server.port, request))
        const value = summary(rounds)
        results.costs.push({ name: `${name}, ${articles} articles, p95`, unit: 'ms', value, mark: { atMost } })
        say(`${name}: p95 ${value.median.toFixed(1)} ms`)
      }
      await comparePage({ meter, options, results, say }, { ...server, database }, admin.token)
    } finally {
      await server.stop()
    }
  } finally {
    await databases.drop(database)
  }
}

/** Of requests one after another, in milliseconds. */
async function p95Of(port: number, request: Buffer): Promise<number> {
  const times: number[] = []
  for (let at = 0; at < requests; at++) {
    const start = performance.now()
    const { status, answer } = await rawRequest(port, request)
    if (status !== 200) throw new Error(`The knowledge base answered ${status}: ${answer}`)
    times.push(performance.now() - start)
  }
  return times.toSorted((one, other) => one - other)[Math.floor(requests * 0.95)]!
}

type Measuring = Pick<Bench, 'meter' | 'options' | 'results' | 'say'>

async function comparePage(
  { meter, options, results, say }: Measuring,
  server: Awaited<ReturnType<typeof serve>> & { database: string },
  token: string
): Promise<void> {
  const page = '/help/en/all/article-1'
  const { headers } = await fetch(`http://127.0.0.1:${server.port}${page}`)
  const known = ['Host: localhost', `If-None-Match: ${headers.get('etag')}`, '', ''].join('\r\n')
  await meter.prepare('help page', [Buffer.from(`GET ${page} HTTP/1.1\r\n${known}`, 'latin1')])
  await meter.prepare('help check', [message('/api/check', { token })])
  const targets = ['page', 'check'].map(name => ({ name, server, set: `help ${name}` }))
  const rounds = await runInterleaved(meter, targets, 16, { ...options, warmUpMilliseconds: options.milliseconds })
  // A page that the browser has is answered by 304.
  const faults = targets.flatMap(({ name }) => faultsOf(`help ${name}`, rounds[name]!))
  results.faults.push(...faults.filter(fault => !/^help page: \d+ times 304$/.test(fault)))
  const speeds = (target: string) => rounds[target]!.map(({ perSecond }) => perSecond)
  const value = summary(ratios(speeds('page'), speeds('check')))
  results.costs.push({ name: 'an article by its ETag', unit: '× /api/check', value, mark: { atLeast: 0.3 } })
  say(`an article by its ETag: ${value.median.toFixed(2)} × /api/check`)
}

async function fillArticles(url: string): Promise<void> {
  const texts = sampleTexts(articles, 120, 7).map(text => `${text} ${common}`)
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await client.query(`
      insert into kb_categories (depth, audience, position, created_at, updated_at) values (1, 'public', 1, now(), now());
      insert into kb_category_texts select id, 'en', 'All', 'all' from kb_categories;
      insert into kb_articles (category_id, state, created_at, updated_at)
        select (select id from kb_categories), 'published', now(), now() from generate_series(1, ${articles});
      insert into kb_texts (article_id, locale, slug, latest_version)
        select id, 'en', 'article-' || id, 1 from kb_articles;
      insert into kb_slugs select 'en', slug, article_id from kb_texts;`)
    await client.query(
      `insert into kb_versions (article_id, locale, version, title, markdown, html, plain, author_name, created_at)
        select n, 'en', 1, left(text, 60), text, '<p>' || text || '</p>', text, 'Grace Hopper', now()
        from unnest($1::text[]) with ordinality as given (text, n)`,
      [texts]
    )
    // Counted at once: the trigger counts the words of one text after the other.
    await client.query(`alter table kb_texts disable trigger kb_texts_count_words;
      update kb_texts set published_version = 1, published_at = now();
      alter table kb_texts enable trigger kb_texts_count_words;
      insert into kb_words select word, ndoc from ts_stat('select words from kb_texts');
      update kb_state set revision = revision + 1`)
    await client.query('vacuum analyze kb_texts, kb_articles, kb_versions, kb_words')
  } finally {
    await client.end()
  }
}
