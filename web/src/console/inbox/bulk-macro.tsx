import type { DataOf } from '@deskline/client'
import { Zap } from 'lucide-react'
import { useState } from 'react'
import { useApiQuery } from '../../app/api-queries.ts'
import { t } from '../../lib/strings.ts'
import { ConfirmDialog } from '../../ui/dialog.tsx'
import { Picker } from '../../ui/picker.tsx'
import { ActionsText } from '../admin/actions/actions-text.tsx'
import { useActionChoices } from '../admin/actions/use-action-choices.ts'
import css from './bulk-bar.module.css'
import type { BulkChange } from './bulk-change.ts'
import type { ListedTicket } from './ticket-list.ts'

type Macro = DataOf<'/api/admin/macros/list'>['macros'][number]

interface BulkMacroProps {
  selected: readonly ListedTicket[]
  isBusy: boolean
  onChange(change: BulkChange): void
}

/** Applies a macro to the selected tickets. What it does is shown before, and that its text goes to clients. */
export function BulkMacro({ selected, isBusy, onChange }: BulkMacroProps) {
  const count = selected.length
  const [isOpened, setOpened] = useState(false)
  const [chosen, setChosen] = useState<Macro>()
  const { data } = useApiQuery('/api/admin/macros/list', { limit: 1000 }, { enabled: isOpened, staleTime: 60_000 })
  const isOffered = ({ deptids }: Macro) =>
    deptids.length === 0 || selected.every(({ department }) => deptids.includes(department.deptid))
  const macros = (data?.macros ?? [])
    .filter(isOffered)
    .toSorted((one, other) => one.missing_permissions.length - other.missing_permissions.length)
  return (
    <>
      <Picker
        label={t('macros.apply')}
        emptyText={isOpened && !data ? t('macros.looking') : t('macros.none')}
        items={macros.map(({ id, name, actions, missing_permissions: missing }) => ({
          id,
          label: name,
          hint: actions.length > 0 ? t('macros.changes', { count: actions.length }) : undefined,
          lockedReason: missing.length > 0 ? t('macros.needs', { permissions: missing.join(', ') }) : undefined
        }))}
        shortcut="M"
        onOpen={() => setOpened(true)}
        onChange={id => setChosen(macros.find(macro => macro.id === id))}
        trigger={trigger => (
          <button {...trigger} type="button" className="btn quiet sm" disabled={isBusy} data-bulk="m">
            <Zap size={16} aria-hidden />
            <span className={css.label}>{t('macros.apply')}</span>
          </button>
        )}
      />
      {chosen && (
        <ConfirmDialog
          title={t('macros.bulkTitle', { name: chosen.name, count })}
          text={<WhatItDoes macro={chosen} count={count} />}
          confirmLabel={t('macros.bulkConfirm')}
          keepLabel={t('macros.bulkKeep')}
          tone="primary"
          onClose={() => setChosen(undefined)}
          onConfirm={() => {
            setChosen(undefined)
            onChange({ action: 'macro', macro: { id: chosen.id, name: chosen.name } })
          }}
        />
      )}
    </>
  )
}

function WhatItDoes({ macro: { actions, reply_text }, count }: { macro: Macro; count: number }) {
  const choices = useActionChoices()
  return (
    <>
      {actions.length > 0 && (
        <>
          {t('macros.bulkEach')} <ActionsText actions={actions} choices={choices} />
          {'. '}
        </>
      )}
      {reply_text !== '' && t('macros.bulkSends', { count })}
    </>
  )
}
