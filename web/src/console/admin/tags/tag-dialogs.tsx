import type { DataOf } from '@deskline/client'
import { type FormEvent, useId, useState } from 'react'
import { desk } from '../../../app/desk.ts'
import { useForm } from '../../../app/form.ts'
import { refresh } from '../../../app/refresh.ts'
import { t } from '../../../lib/strings.ts'
import { announce } from '../../../ui/announce.ts'
import { Tag } from '../../../ui/badge.tsx'
import { Banner } from '../../../ui/banner.tsx'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { Field, SelectField, TextField } from '../../../ui/field.tsx'
import { Confirm } from '../confirm.tsx'
import { wordsFor } from '../failure-words.ts'
import forms from '../forms.module.css'

export type ManagedTag = DataOf<'/api/admin/tags/list'>['tags'][number]

const refreshTags = () => refresh('/api/admin/tags/list', '/api/admin/tickets/list', '/api/admin/tickets/detail')

interface TagDialogProps {
  tag: ManagedTag
  onClose: () => void
}

export function TagDialog({ tag, onClose }: { tag?: ManagedTag; onClose: () => void }) {
  const formId = useId()
  const form = useForm(
    { name: tag?.name ?? '', color: tag?.color ?? '#6c6860' },
    { reasons: { tag_exists: { name: t('admin.failed.tagExists') } }, words: wordsFor }
  )

  async function save(event: FormEvent) {
    const isSaved = await form.submit(async ({ name, color }) => {
      if (tag) {
        const body = { id: tag.id, name, color, expected_version: tag.version }
        await desk.POST('/api/admin/tags/update', { body })
      } else await desk.POST('/api/admin/tags/create', { body: { name, color } })
    }, event)
    if (!isSaved) return
    void refreshTags()
    announce(t('admin.saved'))
    onClose()
  }

  return (
    <Dialog
      title={tag ? t('admin.editNamed', { name: tag.name }) : t('admin.addTag')}
      open
      onClose={onClose}
      guarded={form.isChanged}
      footer={
        <>
          <Button variant="quiet" onClick={onClose}>
            {t('admin.discard')}
          </Button>
          <Button variant="primary" type="submit" form={formId} busy={form.isBusy} busyLabel={t('admin.saving')}>
            {tag ? t('admin.save') : t('admin.addTag')}
          </Button>
        </>
      }
    >
      <form id={formId} onSubmit={save} className={forms.form} noValidate>
        <TextField label={t('admin.name')} autoComplete="off" maxLength={50} {...form.field('name')} />
        <Field label={t('admin.color')} hint={t('admin.colorHint')} error={form.errors.color}>
          {({ className: _, ...field }) => (
            <span className={forms.color}>
              <input
                {...field}
                type="color"
                value={form.values.color}
                onChange={event => form.set('color', event.target.value)}
              />
              <Tag name={form.values.name || t('admin.tag')} color={form.values.color} />
            </span>
          )}
        </Field>
        {form.failure && <Banner tone="bad">{form.failure}</Banner>}
      </form>
    </Dialog>
  )
}

/** All tickets of a tag get another one, and the tag is gone. */
export function MergeTagDialog({ tag, others, onClose }: TagDialogProps & { others: ManagedTag[] }) {
  const [into, setInto] = useState(String(others[0]?.id))
  const target = others.find(({ id }) => String(id) === into)

  async function merge() {
    const body = { id: tag.id, into_id: Number(into), expected_version: tag.version }
    const { data } = await desk.POST('/api/admin/tags/merge', { body })
    void refreshTags()
    announce(t('admin.tagMerged', { count: data.tickets_moved, name: data.tag.name }))
    onClose()
  }

  return (
    <Confirm
      title={t('admin.mergeNamed', { name: tag.name })}
      text={t('admin.mergeMeans', { count: tag.ticket_count, name: tag.name, target: target?.name ?? '' })}
      confirmLabel={t('admin.mergeTag')}
      keepLabel={t('admin.keepBoth')}
      onConfirm={merge}
      onClose={onClose}
    >
      <SelectField
        label={t('admin.mergeInto')}
        value={into}
        onChange={setInto}
        options={others.map(({ id, name }) => ({ value: String(id), label: name }))}
      />
    </Confirm>
  )
}

export function DeleteTagDialog({ tag, onClose }: TagDialogProps) {
  async function remove() {
    await desk.POST('/api/admin/tags/delete', { body: { id: tag.id, expected_version: tag.version } })
    void refreshTags()
    announce(t('admin.wasDeleted', { name: tag.name }))
    onClose()
  }

  return (
    <Confirm
      title={t('admin.deleteNamed', { name: tag.name })}
      text={t('admin.deleteTagMeans', { count: tag.ticket_count })}
      confirmLabel={t('admin.deleteTag')}
      keepLabel={t('admin.keepTag')}
      onConfirm={remove}
      onClose={onClose}
    />
  )
}
