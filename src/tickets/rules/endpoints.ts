import type { AnyEndpoint } from '../../kit/endpoint.ts'
import { createRule } from './endpoints/admin-rules-create.ts'
import { deleteRule } from './endpoints/admin-rules-delete.ts'
import { showRule } from './endpoints/admin-rules-detail.ts'
import { showRuleImpact } from './endpoints/admin-rules-impact.ts'
import { listRules } from './endpoints/admin-rules-list.ts'
import { pauseRule } from './endpoints/admin-rules-pause.ts'
import { reorderRules } from './endpoints/admin-rules-reorder.ts'
import { resumeRule } from './endpoints/admin-rules-resume.ts'
import { runRuleAgain } from './endpoints/admin-rules-run-again.ts'
import { listRuleRuns } from './endpoints/admin-rules-runs.ts'
import { listRuleTemplates } from './endpoints/admin-rules-templates-list.ts'
import { updateRule } from './endpoints/admin-rules-update.ts'
import { listRuleVersions } from './endpoints/admin-rules-versions.ts'
import { showTicketAutomation } from './endpoints/admin-tickets-automation.ts'
import { deleteTicketTimer } from './endpoints/admin-tickets-timers-delete.ts'

export const rulesEndpoints: readonly AnyEndpoint[] = [
  listRules,
  showRule,
  createRule,
  updateRule,
  pauseRule,
  resumeRule,
  deleteRule,
  reorderRules,
  showRuleImpact,
  runRuleAgain,
  listRuleRuns,
  listRuleVersions,
  listRuleTemplates,
  showTicketAutomation,
  deleteTicketTimer
]
