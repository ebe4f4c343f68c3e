import { CircleCheck } from 'lucide-react'
import { useApiQuery } from '../../../app/api-queries.ts'
import { useMe } from '../../../app/me.ts'
import { t } from '../../../lib/strings.ts'
import { numberText } from '../../../lib/times.ts'
import { buttonClass } from '../../../ui/button.tsx'
import { StateMessage } from '../../../ui/state-message.tsx'
import { Time } from '../../../ui/time.tsx'
import { Link } from '../../navigation.ts'
import { AdminPage } from '../admin-page.tsx'
import { type Finding, useAttention } from '../attention.ts'
import type { AuditEntry } from '../audit/audit-entry.ts'
import { AuditSentence } from '../audit/audit-sentence.tsx'
import { kindGroups } from '../event-kinds.ts'
import { FirstSteps } from './first-steps.tsx'
import styles from './overview.module.css'

/** How the desk is set up: what needs a decision, what a new desk still needs, and what was changed lately. */
export function OverviewPage() {
  const { isAdmin } = useMe()
  const findings = useAttention(true)
  return (
    <AdminPage title={t('admin.overview')} lede={t('admin.overviewLede')} width="settings">
      <div className={styles.cards}>
        {findings.length > 0 && <NeedsAttention findings={findings} />}
        {isAdmin ? (
          <>
            <FirstSteps />
            <ChangedLately />
          </>
        ) : (
          <StateMessage icon={CircleCheck} title={t('admin.nothingToDecide')} text={t('admin.nothingToDecideText')} />
        )}
      </div>
    </AdminPage>
  )
}

function NeedsAttention({ findings }: { findings: Finding[] }) {
  return (
    <section className="card" aria-labelledby="needs-attention">
      <div className="hd">
        <h2 id="needs-attention" className="grow">
          {t('admin.needsAttention')}
        </h2>
        <span className={styles.aside}>{numberText(findings.length)}</span>
      </div>
      <ul>
        {findings.map(({ id, icon: Shown, title, text, action }) => (
          <li key={id} className={styles.line} data-attention>
            <Shown size={16} aria-hidden />
            <span className={styles.words}>
              <b>{title}</b>
              <span>{text}</span>
            </span>
            <Link {...action.target} className={buttonClass('plain', 'sm')}>
              {action.label}
            </Link>
          </li>
        ))}
      </ul>
    </section>
  )
}

const shownChanges = 5
/** How people work is in the log as well: only how the desk is set up is shown here. */
const setUpKinds = new Set<string>(
  kindGroups
    .flatMap(([group, kinds]) => (group === 'desk' || group === 'staff' ? kinds : []))
    .filter(kind => !/^(view\.|staff\.(sign|locked)|audit\.)|\.(tested|replayed)$/.test(kind))
)

function ChangedLately() {
  const entries = useApiQuery('/api/admin/audit/list', { limit: 100 }).data?.entries
  const changes = entries?.filter(({ action }) => setUpKinds.has(action)).slice(0, shownChanges) ?? []
  if (changes.length === 0) return null
  return (
    <section className="card" aria-labelledby="changed-lately">
      <div className="hd">
        <h2 id="changed-lately" className="grow">
          {t('admin.changedLately')}
        </h2>
        <Link to="/audit" className={`link ${styles.aside}`}>
          {t('admin.allInAuditLog')}
        </Link>
      </div>
      <ul>
        {changes.map(entry => (
          <Change key={entry.id} entry={entry} />
        ))}
      </ul>
    </section>
  )
}

function Change({ entry }: { entry: AuditEntry }) {
  return (
    <li className={styles.change}>
      <span className="grow">
        <AuditSentence entry={entry} />
      </span>
      <span className={styles.aside}>
        <Time at={entry.created_at} />
      </span>
    </li>
  )
}
