import { RotateCw } from 'lucide-react'
import { useState } from 'react'
import { post } from '../../../app/api-client.ts'
import { reloadQueries } from '../../../app/reload-queries.ts'
import { t } from '../../../lib/strings.ts'
import { Button } from '../../../ui/button.tsx'
import { toast } from '../../../ui/toast.tsx'
import { adminFailureText } from '../../admin-failure-text.ts'

/** Makes a run that a budget has stopped, by the rule as it is now. */
export function RunAgainButton({ runId }: { runId: number }) {
  const [isBusy, setBusy] = useState(false)

  async function run() {
    setBusy(true)
    try {
      const { run } = await post('/api/admin/rules/run-again', { run_id: runId })
      toast({ text: t(`rules.again.${run.outcome}`) })
      await reloadQueries('/api/admin/rules/runs', '/api/admin/tickets/automation')
    } catch (error) {
      toast({ text: adminFailureText(error), tone: 'bad' })
    } finally {
      setBusy(false)
    }
  }

  return (
    <Button size="sm" icon={RotateCw} busy={isBusy} onClick={() => void run()}>
      {t('rules.runAgain')}
    </Button>
  )
}
