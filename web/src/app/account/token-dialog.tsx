import { type BodyOf, type DataOf, DesklineError } from '@deskline/client'
import { useState } from 'react'
import { t } from '../../lib/strings.ts'
import { PasswordField, SelectField, TextField } from '../../ui/field.tsx'
import { Checkbox, Radio } from '../../ui/form-controls.tsx'
import { DepartmentChecks } from '../department-checks.tsx'
import { useForm } from '../form.ts'
import { FormDialog } from '../form-dialog.tsx'
import styles from './account.module.css'

const create = '/api/account/tokens/create'
export type NewToken = DataOf<typeof create>
type Body = BodyOf<typeof create>

/** A permission that one may give to a token, and its name. */
export interface Right {
  slug: NonNullable<Body['permissions']>[number]
  name: string
}

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

/** Makes a token: its name, its end, and what it may. The password is asked for when the last sign-in is too long ago. */
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
  const [asksPassword, setAsksPassword] = useState(false)
  const form = useForm(
    { name: '', end: ends.includes('90') ? '90' : ends.at(-1)!, addresses: '', password: '' },
    {
      problems: { addresses: t('account.tokens.addressesWrong') },
      reasons: {
        token_name_taken: { name: t('account.tokens.nameTaken') },
        wrong_password: { password: t('account.passwordIsWrong') },
        reauthentication_required: { password: t('account.tokens.passwordNeeded') }
      }
    }
  )

  async function make({ name, end, addresses, password }: typeof form.values) {
    const from = listed(addresses)
    const days = end === 'never' ? undefined : Number(end)
    try {
      const made = await onMake({
        name,
        read_only: may === 'read' ? 1 : 0,
        ...(may === 'chosen' ? { permissions: [...chosen] } : {}),
        ...(isLimited ? { departments: [...places] } : {}),
        ...(from.length > 0 ? { addresses: from } : {}),
        ...(days ? { expires_at: new Date(Date.now() + days * 86_400_000).toISOString() } : {}),
        ...(password ? { password } : {})
      })
      onMade(made)
    } catch (error) {
      if (error instanceof DesklineError && error.reason === 'reauthentication_required') setAsksPassword(true)
      throw error
    }
  }

  const named = (all: readonly { name: string }[]) => all.map(({ name }) => name).join(', ')
  /** What was chosen, read back as one sentence. */
  function sentence(): string {
    const { name, end } = form.values
    const addresses = listed(form.values.addresses).join(', ')
    const picked = named(rights.filter(({ slug }) => chosen.includes(slug)))
    const where = named(departments.filter(({ deptid }) => places.includes(deptid)))
    const said = {
      name: name.trim() || t('account.tokens.thisOne'),
      may: t(`account.tokens.may.${may}`, { rights: picked || '…' }),
      end: end === 'never' ? t('account.tokens.forEver') : t('account.tokens.forDays', { count: Number(end) }),
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
    >
      <TextField label={t('account.tokens.name')} maxLength={60} autoComplete="off" {...form.field('name')} />
      <SelectField
        label={t('account.tokens.end')}
        {...(longestDays !== null && { hint: t('account.tokens.latest', { count: longestDays }) })}
        options={ends.map(value => ({
          value,
          label: value === 'never' ? t('account.tokens.noEnd') : t('account.tokens.days', { count: Number(value) })
        }))}
        {...form.field('end')}
      />
      <fieldset className={styles.choices}>
        <legend>{t('account.tokens.itMay')}</legend>
        {choices.map(([value, label]) => (
          <Radio key={value} name="may" label={label} checked={may === value} onChange={() => setMay(value)} />
        ))}
        {may === 'chosen' && (
          <div className={styles.rights}>
            {rights.map(({ slug, name }) => (
              <Checkbox
                key={slug}
                label={name}
                checked={chosen.includes(slug)}
                onChange={isOn => setChosen(isOn ? [...chosen, slug] : chosen.filter(each => each !== slug))}
              />
            ))}
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
      {asksPassword && (
        <PasswordField label={t('account.yourPassword')} autoComplete="current-password" {...form.field('password')} />
      )}
    </FormDialog>
  )
}

function listed(addresses: string): string[] {
  return addresses.split(/[\s,;]+/).filter(Boolean)
}

/** The ends to choose from, in days, with the latest that the desk allows. */
function endsWithin(longestDays: number | null): readonly string[] {
  const usual = [30, 90, 365]
  if (longestDays === null) return [...usual.map(String), 'never']
  return [...usual.filter(days => days < longestDays), longestDays].map(String)
}
