import { Check, ChevronDown, ChevronUp, X } from 'lucide-react'
import { useId, useState } from 'react'
import { t } from '../../../lib/strings.ts'
import { IconButton } from '../../../ui/button.tsx'
import { Link } from '../../navigation.ts'
import { lineText } from '../sentence/conditions-text.tsx'
import styles from './dry-run.module.css'
import { MarkedLine } from './marked-line.tsx'
import type { RuleDraft } from './rule.ts'
import { actualText } from './run.ts'
import runStyles from './runs.module.css'
import { type Trial, type TrialReading, trialText } from './trial.ts'

interface TrialRowProps extends TrialReading {
  trial: Trial
  draft: RuleDraft
  isOpenAtFirst: boolean
}

/** What the rule would do to one ticket; it opens the conditions with what the ticket has, and the e-mails as they would be sent. */
export function TrialRow({ trial, draft, isOpenAtFirst, ...reading }: TrialRowProps) {
  const id = useId()
  const [isOpen, setOpen] = useState(isOpenAtFirst)
  const { ticket_number, subject, conditions, emails, followed_by } = trial
  const label = t(isOpen ? 'rules.hideTrial' : 'rules.showTrial', { ticket: ticket_number ?? t('rules.anEmail') })
  return (
    <li>
      <div className={styles.row}>
        <div className={styles.words}>
          {ticket_number === null ? (
            <span className={styles.ticket}>
              {t('rules.anEmail')} <bdi>{subject}</bdi>
            </span>
          ) : (
            <Link
              to="/$view/$ticket"
              params={{ view: 'all', ticket: ticket_number }}
              className={`row-link ${styles.ticket}`}
            >
              <span className={runStyles.number}>{ticket_number}</span> <bdi>{subject}</bdi>
            </Link>
          )}
          <p className={styles.hint}>
            {trial.outcome === 'would_fail'
              ? t('rules.wouldFail')
              : trialText(trial, draft, reading) ||
                t(trial.outcome === 'no_match' ? 'rules.outcome.no_match' : 'rules.nothingToChange')}
          </p>
        </div>
        <IconButton
          icon={isOpen ? ChevronUp : ChevronDown}
          label={label}
          aria-expanded={isOpen}
          aria-controls={id}
          onClick={() => setOpen(!isOpen)}
        />
      </div>
      <div id={id} hidden={!isOpen} className={styles.opened}>
        {isOpen && (
          <>
            <ul className={runStyles.lines}>
              {conditions.flatMap((any, group) =>
                any.map((condition, place) => {
                  const said = draft.conditions.all[group]?.any[place]
                  return (
                    <MarkedLine
                      // biome-ignore lint/suspicious/noArrayIndexKey: conditions are told apart by their place alone.
                      key={`${group} ${place}`}
                      icon={condition.fits ? Check : X}
                      tone={condition.fits ? 'good' : undefined}
                      words={t(condition.fits ? 'rules.fits' : 'rules.fitsNot')}
                      aside={actualText(condition, reading.values)}
                    >
                      {place > 0 && `${t('definition.or')} `}
                      {lineText([said?.field === condition.field ? said : condition], reading.values)}
                    </MarkedLine>
                  )
                })
              )}
            </ul>
            {emails.map(({ to, subject, text }) => (
              <blockquote key={to} className={styles.email}>
                <p className={styles.hint}>{t('rules.emailTo', { to })}</p>
                <p>
                  <b>{subject}</b>
                </p>
                <p className={styles.emailText}>{text}</p>
              </blockquote>
            ))}
            {followed_by.length > 0 && (
              <p className={styles.hint}>
                {t('rules.wouldFollow', { names: followed_by.map(({ name }) => `“${name}”`).join(', ') })}
              </p>
            )}
          </>
        )}
      </div>
    </li>
  )
}
