import type { AddressInfo } from 'node:net'
import type pg from 'pg'
import { buildApp } from '../src/app.ts'
import { readConfig } from '../src/config.ts'
import { openInstallation } from '../src/installation.ts'
import { makeLog } from '../src/platform/log.ts'
import type { Cast } from './cast.ts'
import type { Scenario } from './scenarios.ts'
import { type Recorded, type Step, stepsOf } from './steps.ts'
import { rawRequest, subjectOf } from './subject.ts'

/** The statements of each scenario as Deskline sends them, with what its parameters are made of. By scenario. */
export async function recordSteps(
  environment: Record<string, string>,
  scenarios: readonly Scenario[],
  cast: Cast
): Promise<Record<string, Step[]>> {
  const { services, close } = await openInstallation(readConfig(environment), makeLog('silent'), {
    as: 'child',
    schema: 'require'
  })
  let heard: Recorded[] = []
  const pool = services.pool as pg.Pool
  const known = new WeakSet<object>()
  pool.on('acquire', client => {
    if (known.has(client)) return
    known.add(client)
    const query = client.query.bind(client) as (text: string, values?: unknown[]) => Promise<{ rows: unknown[] }>
    const recording = async (text: string, values: unknown[] = []) => {
      const statement: Recorded = { text, values: [...values], rows: [] }
      heard.push(statement)
      const result = await query(text, values)
      statement.rows = result.rows as Record<string, unknown>[]
      return result
    }
    client.query = recording as never
  })
  const app = await buildApp(services)
  await app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = app.server.address() as AddressInfo
  try {
    const steps: Record<string, Step[]> = {}
    for (const scenario of scenarios) {
      const requests = scenario.requests(cast)
      const recorded = []
      for (const request of [requests[0]!, requests[1] ?? requests[0]!]) {
        heard = []
        const { status, answer } = await rawRequest(port, request)
        if (status >= 300) throw new Error(`${scenario.name} was answered ${status}: ${answer.slice(0, 300)}`)
        recorded.push({ subject: await subjectOf(request), statements: heard, at: new Date() })
      }
      steps[scenario.name] = stepsOf(scenario.name, recorded[0]!, recorded[1]!)
    }
    return steps
  } finally {
    await app.close()
    await close()
  }
}
