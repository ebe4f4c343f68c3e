import { endpoint } from '../../../core/endpoint.ts'

/** Says that the service answers (contract: POST /api/check). */
export const check = endpoint({
  path: '/api/check',
  summary: 'Check that the service is up',
  access: 'public',
  onlyReads: true,
  async handle() {
    return { message: 'The check API is working' }
  }
})
