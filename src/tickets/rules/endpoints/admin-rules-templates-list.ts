import { Type } from 'typebox'
import { endpoint } from '../../../core/endpoint.ts'
import { Flag, OneOf, OutputText } from '../../../kit/schemas.ts'
import { createTags, ruleFields } from '../rule-schemas.ts'
import { neededKinds, ruleTemplates } from '../rule-templates.ts'

export const RuleTemplateRule = Type.Object({
  name: ruleFields.name,
  trigger: ruleFields.trigger,
  conditions: ruleFields.conditions,
  actions: ruleFields.actions,
  watch_only: Type.Optional({ ...Flag(), description: '1: watch first what it would do.' }),
  create_tags: Type.Optional({ ...Flag(), description: createTags.description })
})

export const RuleTemplateView = Type.Object({
  key: OutputText('vip_first'),
  name: OutputText('VIP first'),
  rule: RuleTemplateRule,
  needs: Type.Array(
    Type.Object(
      { kind: OneOf(neededKinds), at: OutputText('actions.0.move_to') },
      { description: 'What a desk has to choose, and where it stands in the rule.' }
    )
  )
})

/**
 * Lists rules to start from. Each `rule` is what `rules/create` takes, and is not active until it is switched on. Where `needs` names something, the
 * first one of this desk stands there until another one is chosen. A desk without tags gets one with the rule (`create_tags`), and one without
 * organisations a rule for all of them.
 */
export const listRuleTemplates = endpoint({
  path: '/api/admin/rules/templates/list',
  aliases: ['/api/admin/rules/templates'],
  summary: 'List rules to start from',
  access: 'admin',
  onlyReads: true,
  data: Type.Object({ templates: Type.Array(RuleTemplateView) }),
  async handle({ services: { db } }) {
    return { message: 'Rules to start from', data: { templates: await ruleTemplates(db) } }
  }
})
