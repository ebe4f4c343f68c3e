import { parseArgs } from 'node:util'

/** The options of the command line, with their defaults. */
export interface Options {
  isShort: boolean
  /** Only scenarios with one of these words in their name run. */
  only: string[]
  sizes: number[]
  concurrency: number[]
  rounds: number
  milliseconds: number
  against: string | undefined
  /** Writes the results to bench/baseline.json and to the tables of the documents. */
  isBaseline: boolean
  /** Leaves the filled databases for the next run. */
  keeps: boolean
}

export const usage = `npm run bench -- [options]
  --short              two minutes instead of fifteen, on a thousand tickets, without judging
  --only WORD          only what has this word in its name (may be repeated)
  --sizes N,N          how many tickets: 1000,100000,1000000
  --concurrency N,N    how many requests at once: 1,16,64
  --rounds N           5
  --milliseconds N     how long a round is
  --against REVISION   compares with another revision of Deskline instead of with the floor
  --baseline           makes the results bench/baseline.json and the tables of docs/performance.md
  --keep               leaves the filled databases for the next run
DATABASE_URL names a served PostgreSQL, on which databases whose names begin with bench_ are made and dropped.`

/** Throws an error that says which option is wrong. */
export function readOptions(words: string[]): Options {
  const { values } = parseArgs({
    args: words,
    options: {
      short: { type: 'boolean', default: false },
      only: { type: 'string', multiple: true, default: [] },
      sizes: { type: 'string' },
      concurrency: { type: 'string' },
      rounds: { type: 'string' },
      milliseconds: { type: 'string' },
      against: { type: 'string' },
      baseline: { type: 'boolean', default: false },
      keep: { type: 'boolean', default: false }
    }
  })
  const isShort = values.short
  const isComparison = values.against !== undefined
  return {
    isShort,
    only: values.only,
    sizes: numbers(values.sizes) ?? (isShort ? [1_000] : isComparison ? [100_000] : [1_000, 100_000, 1_000_000]),
    concurrency: numbers(values.concurrency) ?? (isShort || isComparison ? [16] : [1, 16, 64]),
    rounds: numbers(values.rounds)?.[0] ?? (isShort ? 3 : isComparison ? 9 : 5),
    milliseconds: numbers(values.milliseconds)?.[0] ?? (isShort ? 300 : 350),
    against: values.against,
    isBaseline: values.baseline,
    keeps: values.keep
  }
}

function numbers(given: string | undefined): number[] | undefined {
  if (given === undefined) return undefined
  if (!/^\d+(,\d+)*$/.test(given)) throw new Error(`${given} is not a number or several, separated by commas`)
  return given.split(',').map(Number)
}
