import { CircleCheck, CircleDashed } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { PasswordForm } from '../../../app/account/password-form.tsx'
import { useMe } from '../../../app/me.ts'
import { reloadQueries } from '../../../app/reload-queries.ts'
import { t } from '../../../lib/strings.ts'
import { listText } from '../../../lib/times.ts'
import { announce } from '../../../ui/announce.ts'
import { Button, buttonClass } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { adminFailureText } from '../../admin-failure-text.ts'
import { Link } from '../../navigation.ts'
import { saveSettings } from '../save-settings.ts'
import { AddSupporterDialog } from '../staff/add-supporter-dialog.tsx'
import { ZonePicker } from '../zone-picker.tsx'
import { InviteDialog } from './invite-dialog.tsx'
import {
  dismissOnboarding,
  type OnboardingSteps,
  ownZone,
  stepCount,
  useOnboardingDismissed,
  useOnboardingSteps
} from './onboarding-steps.ts'
import styles from './overview.module.css'

const refreshSteps = () => reloadQueries('/api/admin/audit/list', '/api/admin/clients/list', '/api/admin/staff/list')

/** What a new desk still needs until its first ticket. The card is gone once all is done, or closed. */
export function FirstSteps() {
  const steps = useOnboardingSteps()
  const isDismissed = useOnboardingDismissed()
  return !isDismissed && steps ? <Steps steps={steps} /> : null
}

function Steps({ steps }: { steps: OnboardingSteps }) {
  const me = useMe()
  const [open, setOpen] = useState<'password' | 'invite' | 'supporter'>()
  const close = () => setOpen(undefined)
  const all: StepProps[] = [
    {
      isDone: steps.hasOwnPassword,
      title: t('admin.stepPassword'),
      text: steps.hasOwnPassword ? t('admin.stepPasswordDone', { email: me.email }) : t('admin.stepPasswordText'),
      action: (
        <Button size="sm" onClick={() => setOpen('password')}>
          {t('admin.choosePassword')}
        </Button>
      )
    },
    {
      isDone: steps.zone !== undefined,
      title: t('admin.stepZone'),
      text: steps.zone === undefined ? t('admin.stepZoneText') : steps.zone.replaceAll('_', ' '),
      action: <ZoneStep />
    },
    {
      isDone: steps.departments.length > 0,
      title: t('admin.departments'),
      text:
        steps.departments.length > 0
          ? t('admin.stepDepartmentsDone', { names: listText(steps.departments), count: steps.departments.length })
          : t('admin.stepDepartmentsText'),
      action: (
        <Link to="/departments" className={buttonClass('plain', 'sm')}>
          {t('admin.openDepartments')}
        </Link>
      )
    },
    {
      isDone: steps.hasCustomer,
      title: t('admin.stepCustomer'),
      text: steps.hasCustomer ? t('admin.stepCustomerDone') : t('admin.stepCustomerText'),
      action: (
        <Button size="sm" onClick={() => setOpen('invite')}>
          {t('admin.inviteCustomer')}
        </Button>
      )
    },
    {
      isDone: steps.hasSupporter,
      title: t('admin.stepSupporter'),
      text: steps.hasSupporter ? t('admin.stepSupporterDone') : t('admin.stepSupporterText'),
      action: (
        <Button size="sm" onClick={() => setOpen('supporter')}>
          {t('admin.addSupporter')}
        </Button>
      )
    },
    {
      isDone: steps.address !== undefined && steps.hasMail,
      title: t('admin.mailboxes.step'),
      text:
        steps.address === undefined
          ? t('admin.mailboxes.stepText')
          : t(steps.hasMail ? 'admin.mailboxes.stepDone' : 'admin.mailboxes.stepWaiting', { address: steps.address }),
      action: (
        <Link to="/settings/email" className={buttonClass('plain', 'sm')}>
          {t('admin.mailboxes.openSettings')}
        </Link>
      )
    }
  ]
  // A step that is done while it is looked at stays, so that nothing moves under the pointer.
  const [shown] = useState(() => all.map(({ isDone }) => !isDone))
  if (!shown.some(Boolean)) return null

  return (
    <section className="card" aria-labelledby="first-steps">
      <div className="hd">
        <h2 id="first-steps" className="grow">
          {steps.done === stepCount ? t('admin.allStepsDone') : t('admin.firstSteps')}
        </h2>
        <span className={styles.aside}>{t('admin.stepsDone', { count: steps.done, total: stepCount })}</span>
      </div>
      <ul>{all.map((step, at) => shown[at] && <Step key={step.title} {...step} />)}</ul>
      <div className={styles.foot}>
        <a className="link" href="/">
          {t('admin.openPortal')}
        </a>
        <Button variant="quiet" size="sm" onClick={dismissOnboarding}>
          {t('admin.closeStart')}
        </Button>
      </div>
      <Dialog title={t('admin.stepPassword')} open={open === 'password'} onClose={close}>
        <PasswordForm
          onChanged={() => {
            close()
            void refreshSteps()
          }}
        />
      </Dialog>
      {open === 'invite' && <InviteDialog onClose={close} onInvited={() => void refreshSteps()} />}
      {open === 'supporter' && <AddSupporterDialog onClose={close} onAdded={() => void refreshSteps()} />}
    </section>
  )
}

/** Chooses the time zone of the desk: that of the browser, if nobody says otherwise. */
function ZoneStep() {
  const [zone, setZone] = useState(ownZone)
  const [isBusy, setBusy] = useState(false)
  async function choose() {
    setBusy(true)
    await saveSettings({ time_zone: zone }).catch(failure => announce(adminFailureText(failure)))
    setBusy(false)
  }
  return (
    <>
      <ZonePicker label={t('admin.stepZone')} zone={zone} onChange={setZone} />
      <Button size="sm" busy={isBusy} onClick={() => void choose()}>
        {t('admin.save')}
      </Button>
    </>
  )
}

interface StepProps {
  isDone: boolean
  title: string
  text: string
  action: ReactNode
}

function Step({ isDone, title, text, action }: StepProps) {
  return (
    <li className={styles.line} data-done={isDone || undefined}>
      {isDone ? <CircleCheck size={16} aria-label={t('admin.stepDone')} /> : <CircleDashed size={16} aria-hidden />}
      <span className={styles.words}>
        <b>{title}</b>
        <span>{text}</span>
      </span>
      {!isDone && action}
    </li>
  )
}
