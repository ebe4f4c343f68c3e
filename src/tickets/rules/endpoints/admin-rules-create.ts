import { Type } from 'typebox'
import { endpoint } from '../../../core/endpoint.ts'
import { createRule as addRule, TooManyRules } from '../change-rules.ts'
import { ExistingCountChanged } from '../existing-tickets.ts'
import { createTags, existingFields, ruleData, ruleFields, ruleFieldsToChange, ruleView } from '../rule-schemas.ts'

/**
 * Creates a rule, which runs after all others, and does not run until it is active. The conditions `{ "all": [] }`, the default, fit every ticket. A
 * rule that undoes what another one does is created with a warning.
 */
export const createRule = endpoint({
  path: '/api/admin/rules/create',
  summary: 'Create a rule',
  access: 'admin',
  about: 'caller',
  body: Type.Object({
    ...ruleFieldsToChange,
    ...existingFields,
    name: ruleFields.name,
    trigger: ruleFields.trigger,
    actions: ruleFields.actions,
    create_tags: Type.Optional(createTags)
  }),
  status: 201,
  data: ruleData,
  errors: [TooManyRules, ExistingCountChanged],
  async handle({ body, actor, caller, services }) {
    const rule = await addRule(services, actor, caller, body)
    return { message: 'Rule created', data: await ruleView(services.db, rule) }
  }
})
