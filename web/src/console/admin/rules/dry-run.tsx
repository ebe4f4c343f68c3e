import type { BodyOf } from '@deskline/client'
import { useId, useState } from 'react'
import { useApiQuery } from '../../../app/api-queries.ts'
import { useMe } from '../../../app/me.ts'
import { useDebounced } from '../../../app/use-debounced.ts'
import { t } from '../../../lib/strings.ts'
import { numberText } from '../../../lib/times.ts'
import { SegmentedControl } from '../../../ui/form-controls.tsx'
import { adminFailureText } from '../../admin-failure-text.ts'
import { recentTickets } from '../../recent-tickets.ts'
import styles from './dry-run.module.css'
import { type RuleDraft, sentenceOf } from './rule.ts'
import { mostFailed, type Trial, type TrialReading } from './trial.ts'
import { TrialRow } from './trial-row.tsx'

type Body = BodyOf<'/api/admin/rules/test'>

interface DryRunProps extends TrialReading {
  /** Undefined while it is new. */
  ruleId: number | undefined
  draft: RuleDraft
}

/** What the rule would do as it is edited: to the tickets of the last events, or to one. Nothing is written. */
export function DryRun({ ruleId, draft, ...reading }: DryRunProps) {
  const id = useId()
  const me = useMe()
  const [on, setOn] = useState<'events' | 'ticket'>('events')
  const [ticket, setTicket] = useState(() => recentTickets(me.id)[0]?.ticket_number ?? '')
  const rule = sentenceOf(draft)
  const target: Partial<Body> = on === 'events' ? { last: 500 } : { ticket_id: ticket.trim() }
  const wanted = rule && JSON.stringify({ ...(ruleId && { rule_id: ruleId }), rule, ...target })
  const settled = useDebounced(wanted ?? '', 500)
  const isWhole = settled !== '' && (on === 'events' || ticket.trim() !== '')
  const found = useApiQuery('/api/admin/rules/test', isWhole ? (JSON.parse(settled) as Body) : {}, {
    enabled: isWhole,
    placeholderData: former => former,
    retry: false
  })
  const isOld = settled !== wanted || found.isFetching
  return (
    <section className={`card ${styles.card}`} aria-labelledby={id}>
      <div className="hd">
        <h2 id={id} className="grow">
          {t('rules.dryRun')}
        </h2>
        <SegmentedControl
          label={t('rules.dryRunOn')}
          options={[
            { value: 'events', label: t('rules.lastEvents') },
            { value: 'ticket', label: t('rules.oneTicket') }
          ]}
          value={on}
          onChange={setOn}
        />
      </div>
      {on === 'ticket' && (
        <div className={styles.number}>
          <input
            className="input"
            type="text"
            autoComplete="off"
            maxLength={20}
            aria-label={t('rules.ticketNumber')}
            placeholder={t('rules.ticketNumber')}
            value={ticket}
            onChange={event => setTicket(event.target.value)}
          />
        </div>
      )}
      {!rule && <p className={styles.text}>{t('rules.finishFirst')}</p>}
      {rule && found.error && <p className={styles.text}>{adminFailureText(found.error)}</p>}
      {rule && isWhole && found.data && !found.error && (
        <div data-old={isOld || undefined} className={styles.result} aria-busy={isOld}>
          <Result key={on} trials={found.data.results} {...reading} draft={draft} isOne={on === 'ticket'} />
        </div>
      )}
    </section>
  )
}

const shownFirst = 4

function Result(props: TrialReading & { draft: RuleDraft; trials: Trial[]; isOne: boolean }) {
  const { trials, draft, isOne, ...reading } = props
  const [areAllShown, setAllShown] = useState(false)
  // A ticket has as many trials as it had events: its newest counts.
  const changed = [...new Map(trials.toReversed().map(trial => [trial.ticket_id, trial])).values()]
    .toReversed()
    .filter(
      ({ outcome, actions }) => outcome === 'would_run' && actions.some(each => Object.values(each).includes('done'))
    )
  const emails = changed.reduce((sum, trial) => sum + trial.emails.length, 0)
  const rows = isOne ? trials : areAllShown ? changed : changed.slice(0, shownFirst)
  const failed = changed.length === 0 ? mostFailed(trials, draft, reading) : undefined
  return (
    <>
      <div className={styles.head}>
        <p className={styles.title} role="status">
          {changed.length === 0 ? t('rules.wouldChangeNothing') : t('rules.wouldChange', { count: changed.length })}
        </p>
        <p className={styles.hint}>
          {[
            !isOne &&
              t(draft.trigger.timer ? 'rules.ofTickets' : 'rules.ofEvents', {
                count: trials.length,
                events: numberText(trials.length)
              }),
            t('rules.emailsSent', { count: emails }),
            failed,
            t('rules.judgedNow')
          ]
            .filter(Boolean)
            .join(' ')}
        </p>
      </div>
      <ul>
        {rows.map(trial => (
          <TrialRow key={trial.ticket_id} trial={trial} draft={draft} isOpenAtFirst={isOne} {...reading} />
        ))}
      </ul>
      {!isOne && changed.length > shownFirst && (
        <p className={styles.all}>
          <button type="button" className="link" aria-expanded={areAllShown} onClick={() => setAllShown(!areAllShown)}>
            {areAllShown ? t('rules.fewerTickets') : t('rules.allTickets', { count: changed.length })}
          </button>
        </p>
      )}
    </>
  )
}
