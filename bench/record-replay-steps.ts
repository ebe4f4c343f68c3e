import type { AddressInfo } from 'node:net'
import { buildApp } from '../src/app.ts'
import { readConfig } from '../src/core/config.ts'
import { openInstallation } from '../src/operation/installation.ts'
import { DatabaseClient } from '../src/platform/db/database-client.ts'
import { makeLog } from '../src/platform/log.ts'
import type { Accounts } from './accounts.ts'
import { rawRequest } from './raw-request.ts'
import { type RecordedStatement, type ReplayStep, replayStepsOf } from './replay-steps.ts'
import { requestFieldsOf } from './request-fields.ts'
import type { Scenario } from './scenarios.ts'

/** Records the statements that Deskline sends in each scenario, and derives where their parameters come from. Returns the steps by scenario. */
export async function recordReplaySteps(
  environment: Record<string, string>,
  scenarios: readonly Scenario[],
  accounts: Accounts
): Promise<Record<string, ReplayStep[]>> {
  const { services, close } = await openInstallation(readConfig(environment), makeLog('silent'), {
    as: 'child',
    schema: 'require'
  })
  let sent: RecordedStatement[] = []
  const { query } = DatabaseClient.prototype
  DatabaseClient.prototype.query = async function (text: string, values: unknown[] = []) {
    const statement: RecordedStatement = { text, values: [...values], rows: [] }
    sent.push(statement)
    const result = await query.call(this, text, values)
    statement.rows = result.rows as Record<string, unknown>[]
    return result
  }
  const app = await buildApp(services)
  await app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = app.server.address() as AddressInfo
  try {
    const steps: Record<string, ReplayStep[]> = {}
    for (const scenario of scenarios) {
      const requests = scenario.requests(accounts)
      const recorded = []
      for (const request of [requests[0]!, requests[1] ?? requests[0]!]) {
        sent = []
        const { status, answer } = await rawRequest(port, request)
        if (status >= 300) throw new Error(`${scenario.name} was answered ${status}: ${answer.slice(0, 300)}`)
        recorded.push({ fields: await requestFieldsOf(request), statements: sent, at: new Date() })
      }
      steps[scenario.name] = replayStepsOf(scenario.name, recorded[0]!, recorded[1]!)
    }
    return steps
  } finally {
    DatabaseClient.prototype.query = query
    await app.close()
    await close()
  }
}
