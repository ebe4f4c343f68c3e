import type { DataOf } from '@deskline/client'
import { KeyRound, Laptop, Plus } from 'lucide-react'
import { useRef, useState } from 'react'
import { t } from '../../lib/strings.ts'
import { dateOf, instantOf } from '../../lib/times.ts'
import { announce } from '../../ui/announce.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { ConfirmDialog } from '../../ui/dialog.tsx'
import { TextField } from '../../ui/field.tsx'
import { RowMenu } from '../../ui/table.tsx'
import { Time } from '../../ui/time.tsx'
import { post } from '../api-client.ts'
import { useApiQuery } from '../api-queries.ts'
import { failureText } from '../failures.ts'
import { useForm } from '../form.ts'
import { FormDialog } from '../form-dialog.tsx'
import { QueryState } from '../query-state.tsx'
import { reloadQueries } from '../reload-queries.ts'
import { isBrowsers, isGivenUp, isKnownAlready, makePasskey } from '../sign-on/passkeys.ts'
import styles from './account.module.css'
import { deviceOf } from './device.ts'
import { ProofFields, proofOf, proofReasons, useNeedsProof } from './proof-fields.tsx'

const list = '/api/account/passkeys/list'
type Passkey = DataOf<typeof list>['passkeys'][number]
const most = 20

/** The passkeys of the signed-in person. */
export function Passkeys() {
  const passkeys = useApiQuery(list, {})
  const identities = useApiQuery('/api/account/identities', {})
  const [isAdding, setAdding] = useState(false)
  const [renaming, setRenaming] = useState<Passkey>()
  const [removing, setRemoving] = useState<Passkey>()
  return (
    <div className={styles.part}>
      <QueryState query={passkeys}>
        {({ passkeys, has_password, unavailable_reason }) => {
          const usable = passkeys.filter(({ is_blocked }) => is_blocked === 0)
          const isOnlyWay = has_password === 0 && usable.length < 2 && identities.data?.identities.length === 0
          return (
            <>
              {passkeys.length > 0 && (
                <ul className={styles.sessions}>
                  {passkeys.map(passkey => (
                    <PasskeyRow
                      key={passkey.id}
                      passkey={passkey}
                      keptBecause={isOnlyWay ? t('account.onlyWayIn') : undefined}
                      onRename={() => setRenaming(passkey)}
                      onRemove={() => setRemoving(passkey)}
                    />
                  ))}
                </ul>
              )}
              {unavailable_reason ? (
                <p className={styles.lede}>{t('account.passkeys.unavailable')}</p>
              ) : (
                <div className="row-x wrap">
                  <Button
                    icon={Plus}
                    disabled={passkeys.length >= most}
                    reason={passkeys.length >= most ? t('account.passkeys.tooMany', { count: most }) : undefined}
                    onClick={() => setAdding(true)}
                  >
                    {t('account.passkeys.add')}
                  </Button>
                  {passkeys.length > 0 && passkeys.length < most && (
                    <span className={styles.hint}>{t('account.passkeys.count', { count: passkeys.length, most })}</span>
                  )}
                </div>
              )}
            </>
          )
        }}
      </QueryState>
      {isAdding && <AddDialog onClose={() => setAdding(false)} />}
      {renaming && <RenamePasskeyDialog passkey={renaming} onClose={() => setRenaming(undefined)} />}
      {removing && <RemoveDialog passkey={removing} onClose={() => setRemoving(undefined)} />}
    </div>
  )
}

interface PasskeyRowProps {
  passkey: Passkey
  keptBecause: string | undefined
  onRename: () => void
  onRemove: () => void
}

function PasskeyRow({ passkey, keptBecause, onRename, onRemove }: PasskeyRowProps) {
  const { name, transports, is_backed_up, is_blocked, created_at, last_used_at } = passkey
  const isInDevice = transports.length === 0 || transports.includes('internal')
  const Icon = isInDevice ? Laptop : KeyRound
  const where = is_backed_up ? 'account.passkeys.copied' : isInDevice ? 'account.passkeys.here' : 'account.passkeys.key'
  return (
    <li>
      <Icon size={16} aria-hidden />
      <div className={styles.sessionText}>
        <p>
          {name} {is_blocked === 1 && <Badge tone="red">{t('account.passkeys.blocked')}</Badge>}
        </p>
        <p className={styles.hint}>
          {is_blocked === 1
            ? t('account.passkeys.blockedText')
            : t('account.passkeys.added', { day: dateOf(instantOf(created_at)), where: t(where) })}
        </p>
      </div>
      <span className={styles.hint}>
        {last_used_at ? <Time at={last_used_at} style="relative" /> : t('account.neverUsed')}
      </span>
      <RowMenu
        label={t('account.actionsFor', { name })}
        items={[
          { label: t('account.renameMore'), onSelect: onRename },
          { label: t('account.removeMore'), danger: true, disabledReason: keptBecause, onSelect: onRemove }
        ]}
      />
    </li>
  )
}

/** The name of the new passkey and, where it is needed, the password; then the browser asks. */
function AddDialog({ onClose }: { onClose: () => void }) {
  const needsProof = useNeedsProof()
  const made = useRef<Awaited<ReturnType<typeof makePasskey>>>(undefined)
  const form = useForm(
    { name: deviceOf(navigator.userAgent).name.slice(0, 100), password: '', code: '' },
    {
      check: ({ name }) => ({ name: !name.trim() && t('ui.fieldMissing') }),
      reasons: proofReasons(),
      failureText: addFailureText
    }
  )

  async function add(values: typeof form.values) {
    // A wrong password afterwards does not make another one.
    made.current ??= await makePasskey()
    const { passkey } = await post('/api/account/passkeys/register', {
      ...made.current,
      name: values.name.trim(),
      ...proofOf(values)
    })
    announce(t('account.passkeys.isAdded', { name: passkey.name }))
    await reloadQueries(list)
  }

  return (
    <FormDialog
      title={t('account.passkeys.add')}
      form={form}
      saveLabel={t('account.passkeys.next')}
      keepLabel={t('account.notNow')}
      onSave={add}
      onClose={onClose}
    >
      <TextField
        label={t('account.passkeys.name')}
        hint={t('account.passkeys.nameHint')}
        maxLength={100}
        autoComplete="off"
        {...form.field('name')}
      />
      {(needsProof || form.errors.password || form.errors.code) && <ProofFields form={form} />}
    </FormDialog>
  )
}

function addFailureText(error: unknown): string {
  if (isKnownAlready(error)) return t('account.passkeys.thereAlready')
  if (isGivenUp(error)) return t('account.passkeys.givenUp')
  return isBrowsers(error) ? t('account.passkeys.notMade') : failureText(error)
}

function RenamePasskeyDialog({ passkey, onClose }: { passkey: Passkey; onClose: () => void }) {
  const form = useForm(
    { name: passkey.name },
    { check: ({ name }) => ({ name: !name.trim() && t('ui.fieldMissing') }) }
  )
  return (
    <FormDialog
      title={t('account.passkeys.renameTitle', { name: passkey.name })}
      form={form}
      saveLabel={t('account.save')}
      keepLabel={t('account.notNow')}
      onSave={async ({ name }) => {
        await post('/api/account/passkeys/rename', { id: passkey.id, name: name.trim() })
        await reloadQueries(list)
      }}
      onClose={onClose}
    >
      <TextField label={t('account.passkeys.name')} maxLength={100} autoComplete="off" {...form.field('name')} />
    </FormDialog>
  )
}

function RemoveDialog({ passkey, onClose }: { passkey: Passkey; onClose: () => void }) {
  const form = useForm({}, { reasons: {}, failureText })
  return (
    <ConfirmDialog
      title={t('account.passkeys.removeTitle', { name: passkey.name })}
      text={t('account.passkeys.removeText')}
      confirmLabel={t('account.remove')}
      keepLabel={t('account.notNow')}
      busy={form.isBusy}
      error={form.failure}
      onConfirm={() =>
        void form.submit(async () => {
          await post('/api/account/passkeys/delete', { id: passkey.id })
          await reloadQueries(list)
          announce(t('account.passkeys.isRemoved', { name: passkey.name }))
          onClose()
        })
      }
      onClose={onClose}
    />
  )
}
