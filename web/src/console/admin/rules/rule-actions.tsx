import { Eye } from 'lucide-react'
import { useState } from 'react'
import { t } from '../../../lib/strings.ts'
import { Button } from '../../../ui/button.tsx'
import { PauseIcon } from '../../../ui/status-icon.tsx'
import { RowMenu } from '../../../ui/table.tsx'
import { useNavigate } from '../../navigation.ts'
import { RenameDialog } from '../rename-dialog.tsx'
import { DeleteRuleDialog } from './delete-rule-dialog.tsx'
import type { Rule } from './rule.ts'
import { useSwitchRule } from './use-switch-rule.tsx'

interface RuleActionsProps {
  rule: Rule
  hasChanges: boolean
  /** The name becomes a change of the page, which is saved with the others; without it the rule cannot be renamed here. */
  onRename?: (name: string) => void
}

/** What can be done with a rule: turn it on or off, let it only watch, pause it, rename it, delete it. */
export function RuleActions({ rule, hasChanges, onRename }: RuleActionsProps) {
  const navigate = useNavigate()
  const { switchTo, dialog } = useSwitchRule()
  const [open, setOpen] = useState<'rename' | 'delete'>()
  const { is_active, watch_only, paused_reason } = rule
  const wait = hasChanges ? t('rules.saveFirst') : undefined
  const close = () => setOpen(undefined)
  return (
    <>
      {!is_active && (
        <Button disabled={hasChanges} reason={wait} onClick={() => switchTo(rule, 'on')}>
          {t('admin.turnOnNow')}
        </Button>
      )}
      {is_active === 1 && (
        <Button
          icon={PauseIcon}
          disabled={hasChanges}
          reason={wait}
          onClick={() => switchTo(rule, paused_reason ? 'resume' : 'pause')}
        >
          {t(paused_reason ? 'rules.resume' : 'rules.pause')}
        </Button>
      )}
      <RowMenu
        label={t('admin.actionsFor', { name: rule.name })}
        items={[
          ...(onRename ? [{ label: t('rules.rename'), onSelect: () => setOpen('rename') }] : []),
          {
            label: t(watch_only ? 'rules.actAgain' : 'rules.watchOnly'),
            icon: Eye,
            disabledReason: wait,
            onSelect: () => switchTo(rule, watch_only ? 'act' : 'watch')
          },
          ...(is_active
            ? [
                {
                  label: t('admin.turnOffNow'),
                  disabledReason: wait,
                  onSelect: () => switchTo(rule, 'off')
                }
              ]
            : []),
          { label: t('rules.deleteMore'), danger: true, disabledReason: wait, onSelect: () => setOpen('delete') }
        ]}
      />
      {dialog}
      {open === 'rename' && onRename && (
        <RenameDialog title={t('rules.renameTitle')} name={rule.name} onSave={onRename} onClose={close} />
      )}
      {open === 'delete' && (
        <DeleteRuleDialog rule={rule} onDeleted={() => void navigate({ to: '/rules' })} onClose={close} />
      )}
    </>
  )
}
