import type { TSchema } from 'typebox'
import { testRule } from '../../intake/mail-log/endpoints/admin-rules-test.ts'
import { showRuleImpact } from '../../tickets/rules/endpoints/admin-rules-impact.ts'
import { listRules } from '../../tickets/rules/endpoints/admin-rules-list.ts'
import { listRuleRuns } from '../../tickets/rules/endpoints/admin-rules-runs.ts'
import { RuleTemplateRule, RuleTemplateView } from '../../tickets/rules/endpoints/admin-rules-templates-list.ts'
import { showTicketAutomation } from '../../tickets/rules/endpoints/admin-tickets-automation.ts'
import {
  ListedRule,
  RuleAttention,
  RuleTimer,
  RuleView,
  RuleWarningView,
  TriggerInput
} from '../../tickets/rules/rule-schemas.ts'
import { RuleVersionView } from '../../tickets/rules/rule-versions.ts'
import { RuleRunView, RunAction, RunCondition, RunDetailView } from '../../tickets/rules/run-schemas.ts'
import { TrialChange, TrialCondition, TrialEmail, TrialFollower } from '../../tickets/rules/trial-schemas.ts'
import { itemOf } from './model-parts.ts'

/** Those of `apiModels` that are of rules. */
export const ruleModels: Record<string, TSchema> = {
  Rule: RuleView,
  RuleListed: ListedRule,
  RuleVersion: RuleVersionView,
  RuleAttention,
  RuleImpactTicket: itemOf(showRuleImpact, 'sample'),
  RulePage: listRules.data!,
  RuleRun: RuleRunView,
  RuleRunAction: RunAction,
  RuleRunCondition: RunCondition,
  RuleRunDetail: RunDetailView,
  RuleRunListed: itemOf(listRuleRuns, 'runs'),
  RuleRunOnTicket: itemOf(showTicketAutomation, 'runs'),
  RuleRunPage: listRuleRuns.data!,
  RuleTemplate: RuleTemplateView,
  RuleTemplateRule,
  RuleTimer,
  RuleTimerOfTicket: itemOf(showTicketAutomation, 'timers'),
  RuleTrial: itemOf(testRule, 'results'),
  RuleTrialChange: TrialChange,
  RuleTrialCondition: TrialCondition,
  RuleTrialEmail: TrialEmail,
  RuleTrialFollower: TrialFollower,
  RuleTrigger: TriggerInput,
  RuleWarning: RuleWarningView
}
