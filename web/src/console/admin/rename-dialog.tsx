import { useForm } from '../../app/form.ts'
import { FormDialog } from '../../app/form-dialog.tsx'
import { t } from '../../lib/strings.ts'
import { TextField } from '../../ui/field.tsx'

interface RenameDialogProps {
  title: string
  name: string
  onSave(name: string): void
  onClose(): void
}

/** Asks for another name, which becomes a change of the page: it is saved with the others. */
export function RenameDialog({ title, name, onSave, onClose }: RenameDialogProps) {
  const form = useForm({ name }, { check: ({ name }) => ({ name: !name.trim() && t('ui.fieldMissing') }) })
  return (
    <FormDialog
      title={title}
      form={form}
      saveLabel={t('definition.take')}
      keepLabel={t('definition.discard')}
      onSave={async ({ name }) => onSave(name.trim())}
      onClose={onClose}
    >
      <TextField label={t('admin.name')} maxLength={100} autoComplete="off" {...form.field('name')} />
    </FormDialog>
  )
}
