import { useState } from 'react'
import { post } from '../../../app/api-client.ts'
import { toast } from '../../../ui/toast.tsx'
import { adminFailureText } from '../../admin-failure-text.ts'
import { ExistingDialog, type Impact } from './existing-dialog.tsx'
import type { Rule } from './rule.ts'
import { type RuleSwitch, switchRule } from './switch-rule.ts'

/** Switches rules. One with a timer that goes on asks first whether it takes the tickets for which its time is over already: show `dialog`. */
export function useSwitchRule() {
  const [asking, setAsking] = useState<{ rule: Rule; to: RuleSwitch; impact: Impact }>()

  async function switchTo(rule: Rule, to: RuleSwitch) {
    if (!rule.trigger.timer || (to !== 'on' && to !== 'resume')) return await switchRule(rule, to)
    try {
      const impact = await post('/api/admin/rules/impact', { rule_id: rule.id })
      if (impact.already_due === 0) await switchRule(rule, to)
      else setAsking({ rule, to, impact })
    } catch (error) {
      toast({ text: adminFailureText(error), tone: 'bad' })
    }
  }

  const dialog = asking && (
    <ExistingDialog
      impact={asking.impact}
      onChoose={existing => {
        setAsking(undefined)
        void switchRule(asking.rule, asking.to, existing)
      }}
      onClose={() => setAsking(undefined)}
    />
  )
  return { switchTo: (rule: Rule, to: RuleSwitch) => void switchTo(rule, to), dialog }
}
