import { Check, Mail, Plus } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { PasswordForm } from '../../../app/account/password-form.tsx'
import { useMe } from '../../../app/me.ts'
import { reloadQueries } from '../../../app/reload-queries.ts'
import { t } from '../../../lib/strings.ts'
import { listText } from '../../../lib/times.ts'
import { Button, buttonClass } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { LogoMark } from '../../../ui/logo.tsx'
import { PageTitle, useTitle } from '../../../ui/page.tsx'
import { Link, useNavigate } from '../../navigation.ts'
import { dismissOnboarding, stepCount, useOnboardingSteps } from '../onboarding-steps.ts'
import { AddSupporterDialog } from '../staff/add-supporter-dialog.tsx'
import { InviteDialog } from './invite-dialog.tsx'
import styles from './onboarding.module.css'

const refreshSteps = () => reloadQueries('/api/admin/audit/list', '/api/admin/clients/list', '/api/admin/staff/list')

/** The first steps of a new desk, up to its first ticket. They can be left at any time. */
export function OnboardingPage() {
  const me = useMe()
  const navigate = useNavigate()
  const steps = useOnboardingSteps()
  const [open, setOpen] = useState<'password' | 'invite' | 'supporter'>()
  const close = () => setOpen(undefined)
  useTitle(t('admin.firstSteps'))

  function leave() {
    dismissOnboarding()
    void navigate({ to: '/' })
  }

  const done = steps?.done ?? 0
  const isConnected = steps?.address !== undefined && steps.hasMail
  const next =
    steps &&
    [
      !steps.hasOwnPassword,
      steps.departments.length === 0,
      !steps.hasCustomer,
      !steps.hasSupporter,
      !isConnected
    ].indexOf(true)
  return (
    <div className="page">
      <div className={styles.start}>
        <LogoMark size={40} />
        <PageTitle className={styles.title}>
          {done === stepCount ? t('admin.allStepsDone') : t('admin.stepsToTicket')}
        </PageTitle>
        <p className={styles.lede}>{done === stepCount ? t('admin.allStepsDoneText') : t('admin.leaveAnyTime')}</p>
        <div className={styles.progress}>
          <progress value={done} max={stepCount} aria-label={t('admin.stepsDone')} />
          <span>{t('admin.countOf', { count: done, total: stepCount })}</span>
        </div>
        <ol className={styles.steps}>
          <Step
            number={1}
            isDone={steps?.hasOwnPassword}
            title={t('admin.stepPassword')}
            text={
              steps?.hasOwnPassword ? t('admin.stepPasswordDone', { email: me.email }) : t('admin.stepPasswordText')
            }
          >
            <Button variant={next === 0 ? 'primary' : 'plain'} onClick={() => setOpen('password')}>
              {t('admin.choosePassword')}
            </Button>
          </Step>
          <Step
            number={2}
            isDone={steps && steps.departments.length > 0}
            title={t('admin.departments')}
            text={
              steps && steps.departments.length > 0
                ? t('admin.stepDepartmentsDone', {
                    names: listText(steps.departments),
                    count: steps.departments.length
                  })
                : t('admin.stepDepartmentsText')
            }
            stays
          >
            <Link to="/departments" className={buttonClass(next === 1 ? 'primary' : 'plain')}>
              {t('admin.openDepartments')}
            </Link>
          </Step>
          <Step
            number={3}
            isDone={steps?.hasCustomer}
            title={t('admin.stepCustomer')}
            text={steps?.hasCustomer ? t('admin.stepCustomerDone') : t('admin.stepCustomerText')}
          >
            <Button variant={next === 2 ? 'primary' : 'plain'} icon={Mail} onClick={() => setOpen('invite')}>
              {t('admin.inviteCustomer')}
            </Button>
          </Step>
          <Step
            number={4}
            isDone={steps?.hasSupporter}
            title={t('admin.stepSupporter')}
            text={steps?.hasSupporter ? t('admin.stepSupporterDone') : t('admin.stepSupporterText')}
          >
            <Button variant={next === 3 ? 'primary' : 'plain'} icon={Plus} onClick={() => setOpen('supporter')}>
              {t('admin.addSupporter')}
            </Button>
          </Step>
          <Step
            number={5}
            isDone={steps && isConnected}
            title={t('admin.mailboxes.step')}
            text={
              steps?.address === undefined
                ? t('admin.mailboxes.stepText')
                : t(steps.hasMail ? 'admin.mailboxes.stepDone' : 'admin.mailboxes.stepWaiting', {
                    address: steps.address
                  })
            }
            stays
          >
            <Link to="/settings" className={buttonClass(next === 4 ? 'primary' : 'plain')}>
              {t('admin.mailboxes.openSettings')}
            </Link>
          </Step>
        </ol>
        <p className={styles.foot}>
          <a className="link" href="/">
            {t('admin.openPortal')}
          </a>
          <Button variant="quiet" onClick={leave}>
            {done === stepCount ? t('admin.goToTickets') : t('admin.closeStart')}
          </Button>
        </p>
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
    </div>
  )
}

interface StepProps {
  number: number
  isDone: boolean | undefined
  title: string
  text: string
  /** The button stays after the step is done. */
  stays?: boolean
  children: ReactNode
}

function Step({ number, isDone, title, text, stays, children }: StepProps) {
  return (
    <li data-done={isDone || undefined}>
      <span className={styles.mark}>
        {isDone ? <Check size={14} aria-label={t('admin.stepDone')} /> : <span aria-hidden>{number}</span>}
      </span>
      <div>
        <h2>{title}</h2>
        <p>{text}</p>
      </div>
      {isDone !== undefined && (!isDone || stays) && <div>{children}</div>}
    </li>
  )
}
