import { Type } from 'typebox'
import { endpoint } from '../../../core/endpoint.ts'
import { Id } from '../../../kit/schemas.ts'
import { ClockImpact } from '../impact.ts'
import { SlaPolicyNotFound } from '../policies.ts'
import { policyImpact } from '../policy-impact.ts'
import { applyToOpen, policyFieldsToChange } from '../policy-schemas.ts'

/** Counts what the fields of an update, or without `id` those of a new policy, would change if they were saved and applied to open tickets. */
export const showSlaPolicyImpact = endpoint({
  path: '/api/admin/sla-policies/impact',
  aliases: ['/api/admin/sla-policies/:id/impact'],
  summary: 'Show what an SLA policy would change, without saving it',
  access: 'admin',
  onlyReads: true,
  body: Type.Object({ id: Type.Optional(Id(3)), ...policyFieldsToChange, apply_to_open: applyToOpen }),
  data: ClockImpact,
  errors: [SlaPolicyNotFound],
  async handle({ body: { apply_to_open: _, ...fields }, services, disconnected }) {
    const impact = await policyImpact(services.db, fields, services.clock.now(), disconnected())
    return { message: 'Impact of the SLA policy', data: impact }
  }
})
