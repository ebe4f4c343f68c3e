import type { BodyOf } from '@deskline/client'
import { post } from '../../../app/api-client.ts'
import { reloadQueries } from '../../../app/reload-queries.ts'
import { t } from '../../../lib/strings.ts'
import { announce } from '../../../ui/announce.ts'
import { toast } from '../../../ui/toast.tsx'
import { adminFailureText } from '../../admin-failure-text.ts'
import { type Rule, rulePaths } from './rule.ts'

const said = {
  on: 'rules.isOnNow',
  off: 'rules.isOffNow',
  watch: 'rules.isWatchingNow',
  act: 'rules.isActingNow',
  pause: 'rules.isPausedNow',
  resume: 'rules.isResumedNow'
} as const

export type RuleSwitch = keyof typeof said

/** Whether a timer that is switched on also takes the tickets for which its time is over already. */
export type Existing = Pick<BodyOf<'/api/admin/rules/resume'>, 'include_existing' | 'expected_count'>

/** Turns a rule on or off, lets it only watch, pauses or resumes it; says so, and loads it again. */
export async function switchRule({ id, version }: Rule, to: RuleSwitch, existing: Existing = {}): Promise<void> {
  const body = { id, expected_version: version }
  try {
    if (to === 'pause') await post('/api/admin/rules/pause', body)
    else if (to === 'resume') await post('/api/admin/rules/resume', { ...body, ...existing })
    else if (to === 'on') await post('/api/admin/rules/update', { ...body, is_active: 1, ...existing })
    else if (to === 'off') await post('/api/admin/rules/update', { ...body, is_active: 0 })
    else await post('/api/admin/rules/update', { ...body, watch_only: to === 'watch' ? 1 : 0 })
    announce(t(said[to]))
  } catch (error) {
    toast({ text: adminFailureText(error), tone: 'bad' })
  }
  await reloadQueries(...rulePaths)
}
