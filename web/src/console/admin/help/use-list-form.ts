import { type FormEvent, useState } from 'react'
import { useForm } from '../../../app/form.ts'
import { t } from '../../../lib/strings.ts'
import { announce } from '../../../ui/announce.ts'
import { adminFailureText } from '../../admin-failure-text.ts'
import { type Settings, saveSettings } from '../save-settings.ts'

interface ListSetting {
  name: 'help_languages' | 'widget_origins'
  /** What stands between two of them; commas and blanks are taken as well. */
  between: string
  /** What is told of a list that is refused. */
  problem: string
  /** Each as the service takes it. */
  read?: (typed: string) => string
}

/** A setting that is a list of short texts, typed and then saved. */
export function useListForm(
  { settings, version }: { settings: Settings; version: number },
  { name, between, problem, read = typed => typed }: ListSetting
) {
  const [isSaved, setSaved] = useState(false)
  const form = useForm(
    { [name]: settings[name].join(between) },
    { problems: { [name]: problem }, failureText: adminFailureText }
  )

  async function save(event: FormEvent) {
    const done = await form.submit(async values => {
      const wanted = (values[name] ?? '').split(/[\s,]+/).filter(each => each !== '')
      const list = [...new Set(wanted.map(read))]
      await saveSettings({ [name]: list, expected_version: version })
      form.reset({ [name]: list.join(between) })
    }, event)
    if (!done) return
    setSaved(true)
    announce(t('admin.saved'))
  }

  return { ...form, save, discard: () => form.reset(), isSaved }
}
