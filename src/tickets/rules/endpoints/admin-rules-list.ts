import { endpoint } from '../../../core/endpoint.ts'
import { rulesData, rulesView } from '../rule-schemas.ts'
import { allRules } from '../rules.ts'

/** Lists all rules in the order in which they run. */
export const listRules = endpoint({
  path: '/api/admin/rules/list',
  aliases: ['/api/admin/rules'],
  summary: 'List the rules',
  access: 'admin',
  onlyReads: true,
  data: rulesData,
  async handle({ services: { db, clock } }) {
    return { message: 'Rules', data: await rulesView(db, await allRules(db), clock.now()) }
  }
})
