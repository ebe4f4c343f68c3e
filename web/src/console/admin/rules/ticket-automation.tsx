import type { DataOf } from '@deskline/client'
import { useState } from 'react'
import { post } from '../../../app/api-client.ts'
import { useApiQuery } from '../../../app/api-queries.ts'
import { failureText } from '../../../app/failures.ts'
import { useMe } from '../../../app/me.ts'
import { QueryState } from '../../../app/query-state.tsx'
import { reloadQueries } from '../../../app/reload-queries.ts'
import { t } from '../../../lib/strings.ts'
import { comingTime } from '../../../lib/times.ts'
import { announce } from '../../../ui/announce.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { Time } from '../../../ui/time.tsx'
import { toast } from '../../../ui/toast.tsx'
import { Link } from '../../navigation.ts'
import { useActionChoices } from '../actions/use-action-choices.ts'
import { useConditionValues } from '../sentence/use-condition-values.ts'
import { conditionsOf, rulePaths } from './rule.ts'
import { runText } from './run.ts'
import { RunDetail } from './run-detail.tsx'
import styles from './ticket-automation.module.css'

type Automation = DataOf<'/api/admin/tickets/automation'>
type RunOnTicket = Automation['runs'][number]

/** What rules did on a ticket, and what they wait for, in a dialog. */
export function AutomationDialog({ ticketId, onClose }: { ticketId: number; onClose: () => void }) {
  const me = useMe()
  const found = useApiQuery('/api/admin/tickets/automation', { id: ticketId })
  return (
    <Dialog title={t('rules.onThisTicket')} open onClose={onClose} size={620}>
      <QueryState query={found}>
        {({ runs, timers }) => (
          <div className={styles.automation}>
            <section>
              <h3>{t('rules.whatComes')}</h3>
              {timers.length === 0 ? (
                <p className={styles.none}>{t('rules.nothingComes')}</p>
              ) : (
                <>
                  <ul>
                    {timers.map(({ rule_id, rule_name, due_at }) => (
                      <li key={`${rule_id} ${due_at}`} className={styles.timer}>
                        <RuleName id={rule_id} name={rule_name} />
                        <span className="row-x">
                          <time dateTime={due_at}>{comingTime(new Date(due_at))}</time>
                          {me.can('tickets.edit_status') && (
                            <TakeOff ticket={ticketId} rule={{ id: rule_id, name: rule_name }} />
                          )}
                        </span>
                      </li>
                    ))}
                  </ul>
                  <p className={styles.none}>{t('rules.judgedAgain')}</p>
                </>
              )}
            </section>
            <section>
              <h3>{t('rules.whatWasDone')}</h3>
              {runs.length === 0 && <p className={styles.none}>{t('rules.nothingDone')}</p>}
              <ul>
                {runs.map(run => (
                  <RunLine key={run.id} run={run} runs={runs} />
                ))}
              </ul>
            </section>
          </div>
        )}
      </QueryState>
    </Dialog>
  )
}

/** Takes what a rule waits to do off the ticket. */
function TakeOff({ ticket, rule }: { ticket: number; rule: { id: number; name: string } }) {
  const [isBusy, setBusy] = useState(false)
  async function takeOff() {
    setBusy(true)
    try {
      await post('/api/admin/tickets/timers/delete', { id: ticket, rule_id: rule.id })
      announce(t('rules.takenOff', { name: rule.name }))
    } catch (error) {
      toast({ text: failureText(error), tone: 'bad' })
    } finally {
      await reloadQueries('/api/admin/tickets/automation', '/api/admin/tickets/detail')
      setBusy(false)
    }
  }
  return (
    <Button
      size="sm"
      variant="quiet"
      busy={isBusy}
      aria-label={t('rules.takeOffNamed', { name: rule.name })}
      onClick={() => void takeOff()}
    >
      {t('rules.takeOff')}
    </Button>
  )
}

function RunLine({ run, runs }: { run: RunOnTicket; runs: RunOnTicket[] }) {
  const [isOpen, setOpen] = useState(false)
  const reading = useReading(run)
  return (
    <li>
      <button type="button" className={styles.run} aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        <span>
          <b>{run.rule_name}</b> {runText(run, reading)}
        </span>
        <Time at={run.at} style="short" />
      </button>
      {isOpen && <RunDetail run={run} others={namesIn(runs)} {...reading} />}
    </li>
  )
}

interface WhyRuleProps {
  ticketId: number
  /** The rule as an event names it, with its run; what happened before runs were named has the event that set it off alone. */
  rule: { id: number; run_id: number | null; event_id: number | null }
}

/** Why a rule did something to a ticket: the run that recorded it, in the time line. */
export function WhyRule({ ticketId, rule }: WhyRuleProps) {
  const found = useApiQuery('/api/admin/tickets/automation', { id: ticketId })
  return (
    <QueryState query={found}>
      {({ runs }) => {
        const { id, run_id: runId, event_id: eventId } = rule
        // A rule runs once for an event.
        const isFor = (run: RunOnTicket) => eventId !== null && run.event_id === eventId && run.rule_id === id
        const run = runs.find(run => (runId === null ? isFor(run) : run.id === runId))
        return run ? <Why run={run} runs={runs} /> : <p className={styles.none}>{t('rules.runGone')}</p>
      }}
    </QueryState>
  )
}

function Why({ run, runs }: { run: RunOnTicket; runs: RunOnTicket[] }) {
  const reading = useReading(run)
  return (
    <div className={styles.inTimeline}>
      <RunDetail run={run} others={namesIn(runs)} {...reading} />
      {reading.rule && (
        <p className={styles.links}>
          <Link to="/rules/$ruleId" params={{ ruleId: String(run.rule_id) }} className="link">
            {t('rules.openRule')}
          </Link>
          <Link to="/rules/$ruleId/runs" params={{ ruleId: String(run.rule_id) }} className="link">
            {t('rules.showRuns')}
          </Link>
        </p>
      )}
    </div>
  )
}

/** Admins read a run with its rule, others with what the run tells itself. */
function useReading({ rule_id: id }: RunOnTicket) {
  const { isAdmin } = useMe()
  const rule = useApiQuery(rulePaths[1], { id }, { enabled: isAdmin }).data?.rule
  const values = useConditionValues(rule ? conditionsOf(rule) : [], 'events')
  return { rule, values, choices: useActionChoices() }
}

function RuleName({ id, name }: { id: number; name: string }) {
  const { isAdmin } = useMe()
  if (!isAdmin) return <b>{name}</b>
  return (
    <Link to="/rules/$ruleId" params={{ ruleId: String(id) }} className="link">
      {name}
    </Link>
  )
}

function namesIn(runs: readonly RunOnTicket[]): { id: number; name: string }[] {
  return runs.map(({ rule_id: id, rule_name: name }) => ({ id, name }))
}
