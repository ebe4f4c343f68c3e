import { useState } from 'react'
import { useMe } from '../../app/me.ts'
import { t } from '../../lib/strings.ts'
import { durationText } from '../../lib/times.ts'
import { Steps } from '../../ui/steps.tsx'
import { Link } from '../navigation.ts'
import { conditionText } from './condition-text.ts'
import css from './due-times.module.css'
import { momentText, stepsOf } from './explained-steps.ts'
import type { ExplainedClock } from './shown-clocks.ts'

const promises = {
  first_response: 'due.promiseFirst_response',
  next_response: 'due.promiseNext_response',
  resolution: 'due.promiseResolution'
} as const

const told = {
  priority: 'due.waspriority',
  policy: 'due.waspolicy',
  calendar: 'due.wascalendar',
  merge: 'due.wasmerge',
  unmerge: 'due.wasunmerge',
  split: 'due.wassplit'
} as const

/** Why a clock is due when it is, as a time line. Readers are told the same as one paragraph. */
export function WhyDue({ id, clock }: { id: string; clock: ExplainedClock }) {
  const isAdmin = useMe().isAdmin
  const [isPolicyOpen, setPolicyOpen] = useState(false)
  const { target, policy, due_at, metric, earlier } = clock
  const promise = t(promises[metric], {
    policy: policy.name,
    priority: t(`ui.priority${target.priority}`),
    time: durationText(target.minutes),
    calendar: target.calendar.name
  })
  const title = due_at ? t('due.why', { time: momentText(due_at) }) : t('due.whyNot')
  return (
    <section id={id} className={css.why} aria-labelledby={`${id}-title`}>
      <h4 id={`${id}-title`}>{title}</h4>
      <p>{promise}</p>
      {clock.pause_reason === 'calendar_never_opens' && (
        <p className={css.late}>{t('due.neverOpens', { calendar: target.calendar.name })}</p>
      )}
      <Steps label={title} steps={stepsOf(clock)} sentence={clock.text} />
      {earlier.map(({ due_at, changed_at, cause, by }) => {
        const key = told[cause as keyof typeof told]
        if (!key) return null
        const values = { due: momentText(due_at), time: momentText(changed_at), who: by ?? t('thread.system') }
        return <p key={changed_at}>{t(key, values)}</p>
      })}
      {clock.is_recomputing && <p>{t('due.recomputing')}</p>}
      {target.calendar.time_zone !== ownZone && clock.steps.some(({ kind }) => kind === 'closed') && (
        <p>{t('due.zone', { calendar: target.calendar.name, zone: target.calendar.time_zone })}</p>
      )}
      <p className={css.links}>
        <button type="button" aria-expanded={isPolicyOpen} onClick={() => setPolicyOpen(is => !is)}>
          {t('due.whyPolicy')}
        </button>
        {isAdmin && (
          <Link to="/sla/$policyId" params={{ policyId: String(policy.id) }}>
            {t('due.openPolicy')}
          </Link>
        )}
      </p>
      {isPolicyOpen && <Choice policy={policy} />}
    </section>
  )
}

const ownZone = Intl.DateTimeFormat().resolvedOptions().timeZone

/** The policies before it, each with the first of its conditions that failed, and what fitted of its own. */
function Choice({ policy: { name, fitted, passed_over, names } }: Pick<ExplainedClock, 'policy'>) {
  return (
    <ul className={css.choice}>
      {passed_over.map(({ id, name, failed }) => (
        <li key={id}>{t('due.passedOver', { name, condition: conditionText(failed, names) })}</li>
      ))}
      <li>
        {fitted.length === 0
          ? t('due.takesAll', { name })
          : t('due.fits', { name, conditions: fitted.map(each => conditionText(each, names)).join(', ') })}
      </li>
    </ul>
  )
}
