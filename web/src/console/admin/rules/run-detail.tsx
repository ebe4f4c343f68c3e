import { Check, CircleAlert, Minus, X } from 'lucide-react'
import { t } from '../../../lib/strings.ts'
import { MarkedLine } from './marked-line.tsx'
import { actualText, conditionText, doneText, isDone, isUnchanged, type Reading, type Run, whyText } from './run.ts'
import { RunAgainButton } from './run-again-button.tsx'
import styles from './runs.module.css'

interface RunDetailProps extends Reading {
  run: Run
  /** The names of the rules that may have set it off. */
  others: readonly { id: number; name: string }[]
}

/** Each condition with what the ticket had, and what became of each action. */
export function RunDetail({ run, others, ...reading }: RunDetailProps) {
  const { version, depth, detail, outcome } = run
  const by = others.find(({ id }) => id === detail.by_rule)?.name
  const notes = [
    !reading.rule || version === reading.rule.version
      ? t('rules.versionOf', { version })
      : t('rules.olderVersion', { version }),
    depth === 0 ? t('rules.firstStep') : t('rules.laterStep', { step: depth + 1 }),
    by && t('rules.setOffBy', { name: by })
  ]
  return (
    <div className={styles.detail}>
      {detail.conditions && detail.conditions.length > 0 && (
        <section>
          <h3>{t('rules.conditions')}</h3>
          <ul>
            {detail.conditions.flatMap((any, group) =>
              any.map((condition, place) => (
                <MarkedLine
                  // biome-ignore lint/suspicious/noArrayIndexKey: conditions are told apart by their place alone.
                  key={`${group} ${place}`}
                  icon={condition.fits ? Check : X}
                  tone={condition.fits ? 'good' : undefined}
                  words={t(condition.fits ? 'rules.fits' : 'rules.fitsNot')}
                  aside={actualText(condition, reading.values)}
                >
                  {place > 0 && `${t('definition.or')} `}
                  {conditionText(run, [group, place], condition, reading)}
                </MarkedLine>
              ))
            )}
          </ul>
        </section>
      )}
      {detail.actions && (
        <section>
          <h3>{t(outcome === 'watched' ? 'rules.wouldDo' : 'rules.actions')}</h3>
          <ul>
            {detail.actions.map((action, at) => (
              <MarkedLine
                // biome-ignore lint/suspicious/noArrayIndexKey: as above.
                key={at}
                icon={isDone(action) ? Check : isUnchanged(action) ? Minus : CircleAlert}
                tone={isDone(action) ? 'good' : isUnchanged(action) ? undefined : 'warn'}
                words={t(isDone(action) ? 'rules.done' : 'rules.skipped')}
                aside={isUnchanged(action) ? t('rules.unchanged') : whyText(action)}
              >
                {doneText(run, at, reading)}
              </MarkedLine>
            ))}
          </ul>
        </section>
      )}
      <p className={styles.foot}>{notes.filter(Boolean).join(' ')}</p>
      {outcome === 'stopped' && detail.reason === 'budget' && reading.rule && <RunAgainButton runId={run.id} />}
    </div>
  )
}
