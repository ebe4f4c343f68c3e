import type { BodyOf, DataOf } from '@deskline/client'
import { useState } from 'react'
import { t } from '../../lib/strings.ts'
import { dateOf } from '../../lib/times.ts'
import { SelectField, TextField } from '../../ui/field.tsx'
import { Radio } from '../../ui/form-controls.tsx'
import { DepartmentChecks } from '../department-checks.tsx'
import { useForm } from '../form.ts'
import { FormDialog } from '../form-dialog.tsx'
import styles from './account.module.css'
import { type Right, RightsGrid } from './rights-grid.tsx'
import { TokenProof, tokenFailureText, useTokenProof } from './token-proof.tsx'

const create = '/api/account/tokens/create'
export type NewToken = DataOf<typeof create>
type Body = BodyOf<typeof create>

/** A department to which one may limit a token. */
export interface Department {
  deptid: number
  name: string
}

interface TokenDialogProps {
  rights: readonly Right[]
  departments?: readonly Department[] | undefined
  /** So long it may live at most; null: for ever. */
  longestDays?: number | null
  onMake: (body: Body) => Promise<NewToken>
  onMade: (made: NewToken) => void
  onClose: () => void
}

type May = 'read' | 'chosen' | 'everything'

/** Makes a token: its name, its end, and what it may. The password or a passkey is asked for when the last sign-in is too long ago. */
export function TokenDialog({
  rights,
  departments = [],
  longestDays = null,
  onMake,
  onMade,
  onClose
}: TokenDialogProps) {
  const ends = endsWithin(longestDays)
  const [may, setMay] = useState<May>('read')
  const [chosen, setChosen] = useState<readonly Right['slug'][]>([])
  const [isLimited, setLimited] = useState(false)
  const [places, setPlaces] = useState<readonly number[]>([])
  const proof = useTokenProof(true)
  const form = useForm(
    { name: '', password: '', date: '', end: ends.includes('90') ? '90' : ends.at(-1)!, addresses: '' },
    {
      failureText: tokenFailureText,
      problems: { addresses: t('account.tokens.addressesWrong') },
      check: ({ name, end, date }) => ({
        name: !name.trim() && t('ui.fieldMissing'),
        date:
          end === 'date' && !isBetween(date, dayIn(0), dayIn(longestDays ?? tenYears)) && t('account.tokens.dateWrong')
      }),
      reasons: {
        token_name_taken: { name: t('account.tokens.nameTaken') },
        wrong_password: { password: t('account.passwordIsWrong') },
        reauthentication_required: { password: t('account.tokens.passwordNeeded') }
      }
    }
  )

  async function make({ name, end, date, addresses, password }: typeof form.values) {
    const from = listed(addresses)
    const expires = endOf(end, date, longestDays)
    await proof.around(password, async shown => {
      const made = await onMake({
        name,
        read_only: may === 'read' ? 1 : 0,
        ...(may === 'chosen' ? { permissions: [...chosen] } : {}),
        ...(isLimited ? { departments: [...places] } : {}),
        ...(from.length > 0 ? { addresses: from } : {}),
        ...(expires ? { expires_at: expires.toISOString() } : {}),
        ...shown
      })
      onMade(made)
    })
  }

  const named = (all: readonly { name: string }[]) => all.map(({ name }) => name).join(', ')
  /** What was chosen, read back as one sentence. */
  function sentence(): string {
    const { name, end, date } = form.values
    const addresses = listed(form.values.addresses).join(', ')
    const picked = named(rights.filter(({ slug }) => chosen.includes(slug)))
    const where = named(departments.filter(({ deptid }) => places.includes(deptid)))
    const said = {
      name: name.trim() || t('account.tokens.thisOne'),
      may: t(`account.tokens.may.${may}`, { rights: picked || '…' }),
      end: endText(end, date),
      from: addresses && `, ${t('account.tokens.from', { addresses })}`
    }
    if (departments.length <= 1) return t('account.tokens.says', said)
    return t('account.tokens.saysWhere', {
      ...said,
      where: isLimited ? where || '…' : t('account.tokens.anyDepartment')
    })
  }

  const choices: [May, string][] = [
    ['read', t('account.tokens.onlyRead')],
    ...(rights.length > 0 ? [['chosen', t('account.tokens.chosenRights')] as [May, string]] : []),
    ['everything', t('account.tokens.everything')]
  ]
  return (
    <FormDialog
      title={t('account.tokens.create')}
      form={form}
      saveLabel={t('account.tokens.create')}
      keepLabel={t('account.notNow')}
      isDisabled={(may === 'chosen' && chosen.length === 0) || (isLimited && places.length === 0)}
      onSave={make}
      onClose={onClose}
      size={620}
    >
      <TokenProof form={form} proof={proof} />
      <TextField
        label={t('account.tokens.name')}
        hint={t('account.tokens.nameHint')}
        maxLength={60}
        autoComplete="off"
        {...form.field('name')}
      />
      <SelectField
        label={t('account.tokens.end')}
        hint={longestDays === null ? t('account.tokens.endHint') : t('account.tokens.latest', { count: longestDays })}
        options={ends.map(value => ({ value, label: endLabel(value) }))}
        {...form.field('end')}
      />
      {form.values.end === 'date' && (
        <TextField
          label={t('account.tokens.lastDay')}
          type="date"
          min={dayIn(0)}
          max={dayIn(longestDays ?? tenYears)}
          {...form.field('date')}
        />
      )}
      <fieldset className={styles.choices}>
        <legend>{t('account.tokens.itMay')}</legend>
        {choices.map(([value, label]) => (
          <Radio key={value} name="may" label={label} checked={may === value} onChange={() => setMay(value)} />
        ))}
        {may === 'chosen' && (
          <div className={styles.rights}>
            <RightsGrid rights={rights} chosen={chosen} onChange={setChosen} />
          </div>
        )}
      </fieldset>
      {departments.length > 1 && (
        <fieldset className={styles.choices}>
          <legend>{t('account.tokens.in')}</legend>
          {[false, true].map(limited => (
            <Radio
              key={String(limited)}
              name="departments"
              label={t(limited ? 'account.tokens.someDepartments' : 'account.tokens.allDepartments')}
              checked={isLimited === limited}
              onChange={() => setLimited(limited)}
            />
          ))}
          {isLimited && (
            <div className={styles.rights}>
              <DepartmentChecks departments={departments} chosen={places} onChange={setPlaces} />
            </div>
          )}
        </fieldset>
      )}
      <TextField
        label={t('account.tokens.addresses')}
        hint={t('account.tokens.addressesHint')}
        placeholder={t('account.tokens.anywhere')}
        optional
        maxLength={900}
        autoComplete="off"
        {...form.field('addresses')}
      />
      <p className={styles.hint}>{sentence()}</p>
    </FormDialog>
  )
}

function listed(addresses: string): string[] {
  return addresses.split(/[\s,;]+/).filter(Boolean)
}

/** The ends to choose from, in days, with the latest that the desk allows. */
function endsWithin(longestDays: number | null): readonly string[] {
  const usual = [30, 90, 365]
  if (longestDays === null) return [...usual.map(String), 'date', 'never']
  return [...[...usual.filter(days => days < longestDays), longestDays].map(String), 'date']
}

const day = 86_400_000
/** In days, a little less than the service allows. */
const tenYears = 3650

function endLabel(end: string): string {
  if (end === 'never') return t('account.tokens.noEnd')
  if (end === 'date') return t('account.tokens.aDate')
  const count = Number(end)
  return t('account.tokens.daysUntil', { count, day: dateOf(new Date(Date.now() + count * day)) })
}

/** The end in the sentence that reads it back. */
function endText(end: string, date: string): string {
  if (end === 'never') return t('account.tokens.forEver')
  if (end !== 'date') return t('account.tokens.forDays', { count: Number(end) })
  return t('account.tokens.untilDay', { day: date ? dateOf(new Date(`${date}T12:00`)) : '…' })
}

/** The moment of an end: a date is over at its midnight here, but never later than the desk allows. */
function endOf(end: string, date: string, longestDays: number | null): Date | undefined {
  if (end === 'never') return undefined
  if (end !== 'date') return new Date(Date.now() + Number(end) * day)
  const over = new Date(`${date}T23:59:59`).getTime()
  return new Date(longestDays === null ? over : Math.min(over, Date.now() + longestDays * day))
}

/** The day in so many days, as a field of a date has it. */
function dayIn(days: number): string {
  const then = new Date(Date.now() + days * day)
  return new Date(then.getTime() - then.getTimezoneOffset() * 60_000).toISOString().slice(0, 10)
}

function isBetween(date: string, first: string, last: string): boolean {
  return date >= first && date <= last
}
