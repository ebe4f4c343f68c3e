import pg from 'pg'
import { parametersOf, type ReplayStep } from './replay-steps.ts'
import type { RequestFields } from './request-fields.ts'

/** A node of a plan, as EXPLAIN prints it in JSON. */
interface PlanNode {
  'Node Type': string
  'Relation Name'?: string
  'Index Name'?: string
  'Actual Rows'?: number
  'Actual Loops'?: number
  'Sort Key'?: string[]
  Plans?: PlanNode[]
}

/** Has a few sums per department, status and member of staff, and may be read as a whole however many tickets there are. */
const sums = 'ticket_counts'

/** The limits of a plan on data that grows. */
export interface Limits {
  /** A table with fewer rows may be read as a whole. */
  smallTable: number
  /** How many rows may be sorted: a page and one more, or the open tickets of a client. */
  page: number
}

/**
 * Runs the statements of a request in one transaction, rolls it back, and returns the faults of their plans: a sequential scan of a
 * growing table, or a sort of more than a page. Plans are generic ones, as they are for Deskline, unless the request itself sets
 * something else.
 */
export async function planFaults(
  client: pg.ClientBase,
  scenario: string,
  steps: readonly ReplayStep[],
  fields: RequestFields,
  limits: Limits
): Promise<string[]> {
  const small = await smallTables(client, limits.smallTable)
  const faults: string[] = []
  const results: pg.QueryResult[] = []
  await client.query('begin')
  try {
    await client.query('set local plan_cache_mode = force_generic_plan')
    for (const step of steps) {
      if (!step.name) {
        const isBorder = /^(begin|commit|start)/i.test(step.text)
        results.push(await client.query(isBorder ? 'select' : step.text))
        continue
      }
      const values = parametersOf(step, { fields, results, files: '[]', now: Date.now() })
      const plan = await planOf(client, step.text, values)
      for (const fault of faultsIn(plan, small, limits.page))
        faults.push(`${scenario}: ${fault} in ${excerpt(step.text)}`)
      results.push(await client.query(step.text, values))
    }
  } finally {
    await client.query('rollback')
  }
  return faults
}

async function planOf(client: pg.ClientBase, text: string, values: unknown[]): Promise<PlanNode> {
  const given = values.map(literal).join(', ')
  await client.query('savepoint before_plan')
  await client.query(`prepare plan_of as ${text}`)
  try {
    const { rows } = await client.query(
      `explain (analyze, buffers, format json) execute plan_of${values.length > 0 ? `(${given})` : ''}`
    )
    return rows[0]['QUERY PLAN'][0].Plan
  } finally {
    await client.query('deallocate plan_of').catch(() => {})
    await client.query('rollback to savepoint before_plan')
  }
}

function literal(value: unknown): string {
  if (value === null || value === undefined) return 'null'
  if (value instanceof Date) return pg.escapeLiteral(value.toISOString())
  if (Array.isArray(value)) return pg.escapeLiteral(`{${value.map(each => JSON.stringify(String(each))).join(',')}}`)
  return pg.escapeLiteral(typeof value === 'object' ? JSON.stringify(value) : String(value))
}

/** The faults of a plan and its subplans, each named once. */
export function faultsIn(plan: PlanNode, small: ReadonlySet<string>, page: number): string[] {
  const faults = new Set<string>()
  const look = (node: PlanNode) => {
    const { 'Node Type': type, 'Relation Name': table, 'Actual Rows': rows = 0 } = node
    if (type === 'Seq Scan' && table && !small.has(table)) faults.add(`all of ${table} is read`)
    // A full scan of an index without a condition would be as bad, but LIMIT usually ends it; the sorted rows would show it.
    if (/Sort$/.test(type)) {
      const sorted = Math.max(rows, ...(node.Plans ?? []).map(({ 'Actual Rows': below = 0 }) => below))
      if (sorted > page) faults.add(`${Math.round(sorted)} rows are sorted by ${node['Sort Key']?.join(', ')}`)
    }
    for (const below of node.Plans ?? []) look(below)
  }
  look(plan)
  return [...faults]
}

async function smallTables(client: pg.ClientBase, fewer: number): Promise<Set<string>> {
  const { rows } = await client.query(
    "select relname from pg_class where relkind in ('r', 'u') and relpersistence <> 't' and reltuples < $1",
    [fewer]
  )
  return new Set([sums, ...rows.map(({ relname }) => relname)])
}

function excerpt(text: string): string {
  return text.length > 160 ? `${text.slice(0, 160)}…` : text
}
