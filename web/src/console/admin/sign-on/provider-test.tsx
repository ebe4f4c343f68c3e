import type { DataOf } from '@deskline/client'
import { ExternalLink } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { post } from '../../../app/api-client.ts'
import { useApiQuery } from '../../../app/api-queries.ts'
import { type Key, t } from '../../../lib/strings.ts'
import { listText } from '../../../lib/times.ts'
import { Button, buttonClass } from '../../../ui/button.tsx'
import { adminFailureText } from '../../admin-failure-text.ts'
import layout from '../mailboxes/mailboxes.module.css'
import settings from '../settings.module.css'
import { Walk, type WalkStep } from '../walk.tsx'
import type { Provider } from './providers.ts'
import styles from './sign-on.module.css'

const path = '/api/admin/sso/test'
type Tested = DataOf<typeof path>
type Findings = NonNullable<Tested['findings']>
type Effect = Findings['effects'][number]

const stepNames = ['discovery', 'keys', 'sign_in'] as const
const askAgainMilliseconds = 1500

interface ProviderTestProps {
  provider: Provider
  /** What is tested is what was saved. */
  isChanged: boolean
  onPassed: () => void
}

/** Walks a real sign-in in a window of its own, and shows each claim with what it would do. */
export function ProviderTest({ provider: { id, version, name }, isChanged, onPassed }: ProviderTestProps) {
  const [tested, setTested] = useState<Tested>()
  const [isBusy, setBusy] = useState(false)
  const [failure, setFailure] = useState<string>()
  const passed = useRef(onPassed)
  passed.current = onPassed

  // Another version has not been tested.
  // biome-ignore lint/correctness/useExhaustiveDependencies: see above
  useEffect(() => setTested(undefined), [version])

  async function run() {
    setBusy(true)
    setFailure(undefined)
    try {
      setTested(await post(path, { id }))
    } catch (error) {
      setFailure(adminFailureText(error))
    } finally {
      setBusy(false)
    }
  }

  const waitsFor = tested?.steps.at(-1)?.state === 'waiting' ? tested.test_id : null
  useEffect(() => {
    if (waitsFor === null) return
    const timer = setInterval(() => {
      post(path, { id, test_id: waitsFor }).then(
        ({ steps, findings }) => {
          const [last] = steps
          if (!last || last.state === 'waiting') return
          setTested(former => former && { ...former, url: null, findings, steps: [...former.steps.slice(0, 2), last] })
          if (last.state === 'ok') passed.current()
        },
        error => setFailure(adminFailureText(error))
      )
    }, askAgainMilliseconds)
    return () => clearInterval(timer)
  }, [waitsFor, id])

  const steps = stepNames.map((step): WalkStep => {
    const result = tested?.steps.find(each => each.step === step)
    const state = { ok: 'done', failed: 'failed', waiting: 'running' } as const
    return {
      key: step,
      state: result ? state[result.state] : 'open',
      name: t(`sign-on-admin.step.${step}` satisfies Key),
      text: t(result?.state === 'ok' ? `sign-on-admin.did.${step}` : (`sign-on-admin.hint.${step}` satisfies Key)),
      said: result?.state === 'failed' ? result.detail : undefined,
      repair: step === 'sign_in' && tested?.url && (
        <a className={buttonClass('primary', 'sm')} href={tested.url} target="_blank" rel="noopener opener">
          <ExternalLink size={16} aria-hidden />
          {t('sign-on-admin.signInThere', { name })}
        </a>
      )
    }
  })

  return (
    <section className={`${settings.card} ${layout.aside}`} aria-label={t('sign-on-admin.test')}>
      <div className={layout.head}>
        <h2>{t('sign-on-admin.test')}</h2>
        <Button
          size="sm"
          busy={isBusy}
          disabled={isChanged}
          reason={isChanged ? t('sign-on-admin.saveFirst') : undefined}
          onClick={() => void run()}
        >
          {tested ? t('sign-on-admin.testAgain') : t('sign-on-admin.runTest')}
        </Button>
      </div>
      <Walk label={t('sign-on-admin.test')} steps={steps} />
      {failure && <p className={layout.bad}>{failure}</p>}
      {tested?.findings && <Found findings={tested.findings} />}
    </section>
  )
}

function Found({ findings: { effects, claims } }: { findings: Findings }) {
  const departments = useApiQuery('/api/departments', {})
  const isLetIn = !effects.some(({ kind }) => kind === 'refused')

  function text({ kind, detail, deptids }: Effect): string {
    if (kind !== 'roles') return t(`sign-on-admin.effect.${kind}` satisfies Key, { detail })
    const names = detail ? detail.split(', ').map(slug => t(`admin.permission.${slug as 'tickets.reply'}`)) : []
    const rooms = deptids.map(id => departments.data?.departments.find(each => each.deptid === id)?.name ?? String(id))
    const given = names.length > 0 ? listText(names) : t('sign-on-admin.nothing')
    return rooms.length > 0
      ? t('sign-on-admin.effect.rolesIn', { given, departments: listText(rooms) })
      : t('sign-on-admin.effect.roles', { given })
  }

  return (
    <div className={settings.padded} role="status">
      <ul className={styles.effects}>
        {effects.map(effect => (
          <li key={effect.kind} data-tone={toneOf(effect.kind)}>
            {text(effect)}
          </li>
        ))}
        <li>
          {isLetIn ? t('sign-on-admin.letIn') : t('sign-on-admin.notLetIn')} {t('sign-on-admin.nothingSaved')}
        </li>
      </ul>
      <dl className={styles.claims}>
        {claims.map(({ name, value }) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </div>
  )
}

function toneOf(kind: Effect['kind']): string | undefined {
  if (kind === 'refused') return 'bad'
  return kind === 'roles_stay' ? 'warn' : undefined
}
