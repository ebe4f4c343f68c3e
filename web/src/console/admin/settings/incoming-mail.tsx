import { Plus, X } from 'lucide-react'
import { useState } from 'react'
import { useApiQuery } from '../../../app/api-queries.ts'
import { useForm } from '../../../app/form.ts'
import { t } from '../../../lib/strings.ts'
import { announce } from '../../../ui/announce.ts'
import { Banner } from '../../../ui/banner.tsx'
import { Button, IconButton } from '../../../ui/button.tsx'
import { SelectField, TextField } from '../../../ui/field.tsx'
import { Checkbox } from '../../../ui/form-controls.tsx'
import { adminFailureText } from '../../admin-failure-text.ts'
import { type Settings, saveSettings } from '../save-settings.ts'
import { SelectRow, SettingPlace } from '../setting-row.tsx'
import styles from '../settings.module.css'

/** What holds for all addresses: unknown senders, how long replies can be taken back, and the addresses and their departments. */
export function IncomingMail({ settings, version }: { settings: Settings; version: number }) {
  return (
    <div className={styles.card}>
      <SelectRow
        setting="unknownSenders"
        value={settings.mail_unknown_senders}
        options={[
          { value: 'create', label: t('admin.sendersCreate') },
          { value: 'verified', label: t('admin.sendersVerified') },
          { value: 'hold', label: t('admin.sendersHold') },
          { value: 'refuse', label: t('admin.sendersRefuse') }
        ]}
        onChange={mail_unknown_senders => saveSettings({ mail_unknown_senders })}
      />
      <SelectRow
        setting="undoSend"
        value={String(settings.undo_send_seconds)}
        options={undoOptions(settings.undo_send_seconds)}
        onChange={seconds => saveSettings({ undo_send_seconds: Number(seconds) })}
      />
      <SettingPlace setting="mailAddresses">
        <Addresses
          key={JSON.stringify([settings.mail_addresses, settings.mail_names, settings.mail_senders])}
          addresses={settings.mail_addresses}
          names={settings.mail_names}
          senders={settings.mail_senders}
          version={version}
        />
      </SettingPlace>
    </div>
  )
}

/** What most want, and what a program may have set. */
function undoOptions(current: number) {
  return [...new Set([0, 5, 10, 20, 30, current])]
    .toSorted((one, other) => one - other)
    .map(count => ({
      value: String(count),
      label: count === 0 ? t('admin.undoSendOff') : t('admin.undoSendSeconds', { count })
    }))
}

interface AddressesProps {
  addresses: Record<string, number>
  names: Record<string, string>
  /** Those from which departments with several send. */
  senders: readonly string[]
  version: number
}

function Addresses({ addresses, names, senders, version }: AddressesProps) {
  const departments = useApiQuery('/api/departments', {})
  const before = Object.entries(addresses).map(([address, deptid]) => ({
    address,
    deptid,
    name: names[address] ?? '',
    isSender: senders.some(sender => sender.toLowerCase() === address.toLowerCase())
  }))
  const [rows, setRows] = useState(before)
  const form = useForm({}, { failureText: adminFailureText })
  const isChanged = JSON.stringify(rows) !== JSON.stringify(before)
  const options = (departments.data?.departments ?? []).map(({ id, name }) => ({ value: String(id), label: name }))
  const change = (at: number, row: Partial<(typeof rows)[number]>) =>
    setRows(rows.map((other, index) => (index === at ? { ...other, ...row } : other)))

  /** Each department sends from one of its addresses. */
  const chooseSender = (at: number, isSender: boolean) =>
    setRows(
      rows.map((row, index) => {
        if (index === at) return { ...row, isSender }
        return isSender && row.deptid === rows[at]!.deptid ? { ...row, isSender: false } : row
      })
    )
  const departmentsWithSeveral = [...Map.groupBy(rows, ({ deptid }) => deptid)]
    .filter(([, { length }]) => length > 1)
    .map(([deptid]) => deptid)

  async function save() {
    const filled = rows.filter(({ address }) => address.trim() !== '')
    const mail_addresses = Object.fromEntries(filled.map(({ address, deptid }) => [address.trim(), deptid]))
    const named = filled.filter(({ name }) => name.trim() !== '')
    const mail_names = Object.fromEntries(named.map(({ address, name }) => [address.trim(), name.trim()]))
    const mail_senders = filled.filter(({ isSender }) => isSender).map(({ address }) => address.trim())
    await saveSettings({ mail_addresses, mail_names, mail_senders, expected_version: version })
    announce(t('admin.saved'))
  }

  return (
    <form className={styles.padded} onSubmit={event => void form.submit(save, event)} noValidate>
      <h2>{t('admin.mailAddresses')}</h2>
      <p className={styles.hint}>{t('admin.mailAddressesHint')}</p>
      {departmentsWithSeveral.length > 0 && <p className={styles.hint}>{t('admin.sendsFromHint')}</p>}
      {rows.map(({ address, deptid, name, isSender }, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a row has no other name while its address is typed.
        <div className={styles.address} key={at}>
          <TextField
            label={t('admin.email')}
            type="email"
            autoComplete="off"
            value={address}
            onChange={value => change(at, { address: value })}
          />
          <SelectField
            label={t('admin.department')}
            value={String(deptid)}
            options={options}
            onChange={value => change(at, { deptid: Number(value) })}
          />
          <TextField
            label={t('admin.senderName')}
            autoComplete="off"
            value={name}
            onChange={value => change(at, { name: value })}
          />
          <IconButton
            icon={X}
            label={t('admin.removeAddress', { address })}
            onClick={() => setRows(rows.filter((_, index) => index !== at))}
          />
          {departmentsWithSeveral.includes(deptid) && (
            <div className={styles.sender}>
              <Checkbox
                label={t('admin.sendsFrom', {
                  department: options.find(({ value }) => value === String(deptid))?.label ?? String(deptid)
                })}
                checked={isSender}
                onChange={is => chooseSender(at, is)}
              />
            </div>
          )}
        </div>
      ))}
      {form.failure && <Banner tone="bad">{form.failure}</Banner>}
      <div className={styles.acts}>
        <Button
          icon={Plus}
          disabled={options.length === 0}
          onClick={() =>
            setRows([...rows, { address: '', deptid: Number(options[0]!.value), name: '', isSender: false }])
          }
        >
          {t('admin.addAddress')}
        </Button>
        {isChanged && (
          <>
            <Button variant="primary" type="submit" busy={form.isBusy} busyLabel={t('admin.saving')}>
              {t('admin.saveAddresses')}
            </Button>
            <Button variant="quiet" onClick={() => setRows(before)}>
              {t('admin.discard')}
            </Button>
          </>
        )}
      </div>
    </form>
  )
}
