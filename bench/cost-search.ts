import { join } from 'node:path'
import { accountsOf } from './accounts.ts'
import type { Bench } from './against-floor.ts'
import { scaleOf } from './fill-scale.ts'
import { jsonMessage } from './http-message.ts'
import { rawRequest } from './raw-request.ts'
import { sampleTexts, sampleWords } from './sample-texts.ts'
import { serve } from './servers.ts'
import { quantile, summary } from './statistics.ts'
import { copiesOf, templateOf } from './testbed.ts'

/** So many queries of each class, one after another. */
const queries = 40

/** Measures what staff may look for, in eight classes, on the most tickets. */
export async function costOfSearch({ databases, options, results, dataDir, say }: Bench): Promise<void> {
  const tickets = options.sizes.at(-1)!
  const database = 'bench_search'
  try {
    await copiesOf(databases, await templateOf(databases, tickets, () => {}), [database])
    const url = databases.url(database)
    const { admin } = await accountsOf(url)
    const server = await serve({ dataDir: join(dataDir, database), url })
    try {
      for (const [name, words] of Object.entries(classesOf(tickets))) {
        const ask = (query: string) => timeOf(server.port, jsonMessage('/api/admin/search', admin.token, { query }))
        for (const query of words.slice(0, 5)) await ask(query)
        const rounds: number[] = []
        for (let round = 0; round < options.rounds; round++) {
          const times: number[] = []
          for (const query of words) times.push(await ask(query))
          rounds.push(
            quantile(
              times.toSorted((one, other) => one - other),
              0.95
            )
          )
        }
        const value = summary(rounds)
        const number = tickets.toLocaleString('en-US')
        results.costs.push({
          name: `search for ${name}, ${number} tickets, p95`,
          unit: 'ms',
          value,
          mark: { atMost: 300 }
        })
        say(`search for ${name}, ${number} tickets: p95 ${value.median.toFixed(1)} ms`)
      }
    } finally {
      await server.stop()
    }
  } finally {
    await databases.drop(database)
  }
}

/** Words by how many messages have them: of 55 words the n-th most frequent one stands in about 6/n of the messages. */
function classesOf(tickets: number): Record<string, string[]> {
  const texts = sampleTexts(scaleOf(tickets).texts, 55, 2)
  const of = (word: (at: number) => string) => Array.from({ length: queries }, (_, at) => word(at))
  const rare = of(at => texts[at * 3]!.match(/(\d+)\.$/)?.[1] ?? texts[at * 3]!.split(' ').at(-1)!)
  const medium = of(at => sampleWords[580 + at]!)
  const phrase = (text: string) => `"${text.split(' ').slice(8, 11).join(' ')}"`
  return {
    'a word that is nowhere': of(at => `xylophon${at}`),
    'a rare word': rare,
    'a word of 1 % of the messages': medium,
    'a word of 20 % of the messages': of(at => sampleWords[20 + (at % 20)]!),
    'a phrase': of(at => phrase(texts[at * 5]!)),
    'the beginning of a word': of(at => sampleWords[1_500 + at * 7]!.slice(0, 5)),
    'a word in another spelling of its umlauts': medium.map(word => word.replace(/[aou]/, letter => `${letter}e`)),
    'a misspelt word': medium.map(word => `${word.slice(0, 2)}x${word.slice(2)}`)
  }
}

/** In milliseconds. */
async function timeOf(port: number, request: Buffer): Promise<number> {
  const start = performance.now()
  const { status, answer } = await rawRequest(port, request)
  if (status !== 200) throw new Error(`The search answered ${status}: ${answer}`)
  return performance.now() - start
}
