import type { DataOf } from '@deskline/client'
import { useState } from 'react'
import { post } from '../../../app/api-client.ts'
import { useForm } from '../../../app/form.ts'
import { FormDialog } from '../../../app/form-dialog.tsx'
import { reloadQueries } from '../../../app/reload-queries.ts'
import { t } from '../../../lib/strings.ts'
import { announce } from '../../../ui/announce.ts'
import { Tag } from '../../../ui/badge.tsx'
import { Field, SelectField, TextField } from '../../../ui/field.tsx'
import { adminFailureText } from '../../admin-failure-text.ts'
import { AsyncConfirmDialog } from '../../async-confirm-dialog.tsx'
import forms from '../forms.module.css'

export type ManagedTag = DataOf<'/api/admin/tags/list'>['tags'][number]

const refreshTags = () => reloadQueries('/api/admin/tags/list', '/api/admin/tickets/list', '/api/admin/tickets/detail')

interface TagDialogProps {
  tag: ManagedTag
  onClose: () => void
}

export function TagDialog({ tag, onClose }: { tag?: ManagedTag; onClose: () => void }) {
  const form = useForm(
    { name: tag?.name ?? '', color: tag?.color ?? '#6c6860' },
    { reasons: { tag_exists: { name: t('admin.failed.tagExists') } }, failureText: adminFailureText }
  )

  async function save({ name, color }: typeof form.values) {
    if (tag) {
      const body = { id: tag.id, name, color, expected_version: tag.version }
      await post('/api/admin/tags/update', body)
    } else await post('/api/admin/tags/create', { name, color })
    void refreshTags()
    announce(t('admin.saved'))
  }

  return (
    <FormDialog
      title={tag ? t('admin.editNamed', { name: tag.name }) : t('admin.addTag')}
      form={form}
      saveLabel={tag ? t('admin.save') : t('admin.addTag')}
      busyLabel={t('admin.saving')}
      keepLabel={t('admin.discard')}
      onSave={save}
      onClose={onClose}
    >
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
    </FormDialog>
  )
}

/** Merges a tag into another one: its tickets get the other one, and the tag is deleted. */
export function MergeTagDialog({ tag, others, onClose }: TagDialogProps & { others: ManagedTag[] }) {
  const [into, setInto] = useState(String(others[0]?.id))
  const target = others.find(({ id }) => String(id) === into)

  async function merge() {
    const body = { id: tag.id, into_id: Number(into), expected_version: tag.version }
    const data = await post('/api/admin/tags/merge', body)
    void refreshTags()
    announce(t('admin.tagMerged', { count: data.tickets_moved, name: data.tag.name }))
    onClose()
  }

  return (
    <AsyncConfirmDialog
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
    </AsyncConfirmDialog>
  )
}

export function DeleteTagDialog({ tag, onClose }: TagDialogProps) {
  async function remove() {
    await post('/api/admin/tags/delete', { id: tag.id, expected_version: tag.version })
    void refreshTags()
    announce(t('admin.wasDeleted', { name: tag.name }))
    onClose()
  }

  return (
    <AsyncConfirmDialog
      title={t('admin.deleteNamed', { name: tag.name })}
      text={t('admin.deleteTagMeans', { count: tag.ticket_count })}
      confirmLabel={t('admin.deleteTag')}
      keepLabel={t('admin.keepTag')}
      onConfirm={remove}
      onClose={onClose}
    />
  )
}
