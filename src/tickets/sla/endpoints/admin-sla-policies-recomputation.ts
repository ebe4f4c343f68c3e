import { Type } from 'typebox'
import { endpoint } from '../../../core/endpoint.ts'
import { Nullable } from '../../../kit/schemas.ts'
import { Count } from '../../ticket/schemas.ts'
import { recomputationProgress } from '../recomputations.ts'

/** Tells how far due times are counted anew after a change of policies or business hours. */
export const slaRecomputation = endpoint({
  path: '/api/admin/sla-policies/recomputation',
  summary: 'How far due times are counted anew',
  access: 'admin',
  onlyReads: true,
  data: Type.Object({
    recomputation: Nullable(
      Type.Object(
        { done: Count, total: Count },
        { description: 'Of how many tickets the due times are counted anew, and how many are done; null if all are.' }
      )
    )
  }),
  async handle({ services: { db } }) {
    return { message: 'Recomputation', data: { recomputation: (await recomputationProgress(db)) ?? null } }
  }
})
